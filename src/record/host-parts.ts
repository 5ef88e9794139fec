import { type Static, Type } from '@sinclair/typebox';

/** `analysis_details.host_parts`: what a person needs in order to see whose the host is. */
export const HostPartsSchema = Type.Object(
  {
    ascii: Type.String({ description: 'The host in lower-case ASCII (punycode)' }),
    unicode: Type.String({ description: 'The host as it is read' }),
    subdomain: Type.String({ description: 'Labels left of the site; empty where there are none' }),
    site: Type.String({
      description: 'The name right of which nobody else publishes; the host itself where it has none',
    }),
    registrable_domain: Type.Union([Type.String(), Type.Null()], {
      description: 'The domain that a registry registered; null for an address or a bare suffix',
    }),
    lookalikes: Type.Array(
      Type.Object({
        character: Type.String({ description: 'The character as it stands in the host' }),
        looks_like: Type.String({ description: 'The ASCII text that it is taken for' }),
      }),
      { description: 'Characters that look like ASCII ones' },
    ),
  },
  { description: 'The host taken apart, for a person to see whose it is' },
);

export type HostParts = Static<typeof HostPartsSchema>;
