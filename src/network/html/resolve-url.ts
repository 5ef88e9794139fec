import { readUrl } from '#src/core/url/read-url.ts';

/** The longest address that is resolved; longer ones are data, not places. */
const MAX_ADDRESS_CHARACTERS = 8192;

/** An address as a browser would resolve it; null if it cannot be parsed or is too long. */
export function resolveUrl(address: string, baseUrl: string | null): string | null {
  if (address.length > MAX_ADDRESS_CHARACTERS) return null;
  return readUrl(address, baseUrl ?? undefined)?.href ?? null;
}

/** Returns true if a link has no target: empty, only a fragment, or script. */
export function isDeadLink(href: string): boolean {
  const address = href
    .slice(0, 64)
    .replace(/[\s\0]+/g, '')
    .toLowerCase();
  return address === '' || address.startsWith('#') || address.startsWith('javascript:') || address === 'about:blank';
}
