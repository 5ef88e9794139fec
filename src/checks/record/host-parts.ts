import { type Static, Type } from '@sinclair/typebox';
import { boundedList, boundedText, boundedTextOrNull } from './bounded-schema.ts';

const LookalikeSchema = Type.Object(
  {
    character: boundedText('The character as it stands in the host'),
    looks_like: boundedText('The ASCII text that it is taken for'),
  },
  { $id: 'Lookalike', description: 'A character that looks like ASCII' },
);

/** `analysis_details.host_parts`: parts of the host that show a person who owns it. */
export const HostPartsSchema = Type.Object(
  {
    ascii: boundedText('The host in lower-case ASCII (punycode)'),
    unicode: boundedText('The host as it is read'),
    subdomain: boundedText('Labels left of the site; empty where there are none'),
    site: boundedText('The name right of which nobody else publishes; the host itself where it has none'),
    registrable_domain: boundedTextOrNull(
      'The domain that a registry registered; null for an address or a bare suffix',
    ),
    lookalikes: boundedList(LookalikeSchema, 'Characters that look like ASCII ones'),
  },
  { $id: 'HostParts', description: 'The host taken apart, for a person to see whose it is' },
);

export type HostParts = Static<typeof HostPartsSchema>;
