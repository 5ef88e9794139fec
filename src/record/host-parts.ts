import { type Static, Type } from '@sinclair/typebox';
import { displayLabel, toPlainLookAlike } from '#src/url/confusable.ts';
import type { Host } from '#src/url/host.ts';

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

const ASCII_ONLY = /^[\0-\x7f]*$/;

/** A host, taken apart. */
export function describeHost({ text, subdomain, site, registrable }: Host): HostParts {
  const unicode = text.includes('xn--') ? text.split('.').map(displayLabel).join('.') : text;
  return {
    ascii: text,
    unicode,
    subdomain,
    site,
    registrable_domain: registrable,
    lookalikes: lookalikesOf(unicode),
  };
}

function lookalikesOf(unicode: string): HostParts['lookalikes'] {
  if (ASCII_ONLY.test(unicode)) return [];
  const beyondAscii = new Set([...unicode].filter((character) => character > '\x7f'));
  return [...beyondAscii].flatMap((character) => {
    const plain = toPlainLookAlike(character);
    return /^[\x20-\x7e]+$/.test(plain) ? [{ character, looks_like: plain }] : [];
  });
}
