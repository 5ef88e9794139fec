import { displayName, toPlainLookAlike } from '#src/core/url/confusable.ts';
import type { Host } from '#src/core/url/host.ts';
import type { HostParts } from './host-parts.ts';

const ASCII_ONLY = /^[\0-\x7f]*$/;

/** A host, taken apart. */
export function describeHost({ text, subdomain, site, registrable }: Host): HostParts {
  const unicode = displayName(text);
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
