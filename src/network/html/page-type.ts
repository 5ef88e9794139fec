import type { PageSyntax } from './charset.ts';

/** Media types that browsers always show as a page or a drawing. */
const SHOWN: ReadonlyMap<string, PageSyntax> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xml'],
  ['image/svg+xml', 'xml'],
]);
/** Media types without information (MIME Sniffing §7, "unknown type"). */
const UNKNOWN_TYPES = new Set(['*/*', 'unknown/unknown', 'application/unknown']);

/** Returns the syntax of a content type that is a page whatever the bytes are; null for any other. */
export function syntaxOfType(contentType: string | null): PageSyntax | null {
  return SHOWN.get(mediaType(contentType)) ?? null;
}

/** Returns the media type that a browser uses: the last of several, empty for an unknown one. */
export function mediaType(contentType: string | null): string {
  const types = (contentType ?? '').split(',').map((part) => part.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  return types.findLast((type) => /^[^\s/]+\/[^\s/]+$/.test(type) && !UNKNOWN_TYPES.has(type)) ?? '';
}
