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
function mediaType(contentType: string | null): string {
  const types = (contentType ?? '').split(',').map((part) => part.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  return types.findLast((type) => /^[^\s/]+\/[^\s/]+$/.test(type) && !UNKNOWN_TYPES.has(type)) ?? '';
}

/** Openings that make unlabelled bytes HTML in Chromium, which asks for no end of the name; and `form` and `meta`. */
const OPENINGS = /^<(?:!doctype html|!--|html|head|script|iframe|h1|div|font|table|a|style|title|b|p|form|meta)/i;

/** XML of which the elements decide if it is more than a tree. */
const OTHER_XML = /^(?:(?:application|text)\/xml|text\/xsl|.+\+xml)$/;

/**
 * Returns the syntax in which a browser reads these bytes as a page: by their content type; if that is missing or
 * unreadable, by how they begin. Null if they are no page: `text/plain`, other types, and XML without elements of a page
 * or a drawing.
 */
export function pageSyntax(bytes: Uint8Array, contentType: string | null): PageSyntax | null {
  const syntax = syntaxOfType(contentType);
  if (syntax !== null) return syntax;
  const type = mediaType(contentType);
  if (OTHER_XML.test(type)) return mayShowPage(bytes) ? 'xml' : null;
  if (type !== '') return null;
  const beginning = ascii(bytes.subarray(0, 1500)).replace(/^[\ufeff\u00ef\u00bb\u00bf\u00ff\u00fe\0\s]+/, '');
  if (/^<\0?\?\0?x\0?m\0?l/.test(beginning)) return mayShowPage(bytes) ? 'xml' : null;
  return OPENINGS.test(beginning) ? 'html' : null;
}

/** Beginnings of a declared namespace, and of an instruction that names a style sheet, in UTF-8 and in UTF-16. */
const MARKS = ['xmlns', 'xml-stylesheet'].flatMap((mark) => [mark, mark.replace(/.(?!$)/g, '$&\0')]);
/** Occurrences that are examined; XML with more of them counts as a page. */
const MAX_MARKS = 64;
/** Bytes that are examined behind each. */
const MARK_BYTES = 512;

/** Returns true if XML may be more than a tree to a browser. Cheap enough for a thread that serves others. */
function mayShowPage(bytes: Uint8Array): boolean {
  const text = ascii(bytes);
  let left = MAX_MARKS;
  for (const mark of MARKS) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) {
      left -= 1;
      if (left < 0 || isTelling(text.slice(at, at + MARK_BYTES).replaceAll('\0', ''))) return true;
    }
  }
  return false;
}

/** Returns true for a namespace of elements that browsers show, for a style sheet that makes a page, and if in doubt. */
function isTelling(mark: string): boolean {
  if (mark.startsWith('xmlns')) return !/^[^"'<>]*["'](?![^"'<>]*(?:xhtml|\/svg|&))[^"'<>]*["']/.test(mark);
  return !/^[^<>]*>/.test(mark) || /\stype\s*=(?!\s*["']text\/css)/.test(mark);
}

function ascii(bytes: Uint8Array): string {
  return new TextDecoder('windows-1252').decode(bytes);
}
