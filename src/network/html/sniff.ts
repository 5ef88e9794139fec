/** Openings that make unlabelled bytes HTML (MIME Sniffing §7.1), each followed by a space or `>`. */
const OPENINGS =
  /^(?:<!doctype html|<html|<head|<script|<iframe|<h1|<div|<font|<table|<a|<style|<title|<b|<body|<br|<p|<form|<meta|<!--)[\s>]/i;

const XML_TYPES = new Set(['application/xml', 'text/xml']);
/** Media types without information (MIME Sniffing §7, "unknown type"). */
const UNKNOWN_TYPES = new Set(['*/*', 'unknown/unknown', 'application/unknown']);

/**
 * Returns true if a browser would show these bytes as a page: by their content type; where that is missing or unreadable, by how
 * they begin; XML and drawings where they hold XHTML. `text/plain` and other types are never a page.
 */
export function isHtml(bytes: Uint8Array, contentType: string | null): boolean {
  const type = typeOf(contentType ?? '');
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  if (XML_TYPES.has(type) || type.endsWith('+xml'))
    return ascii(bytes, 1 << 16).includes('http://www.w3.org/1999/xhtml');
  if (type !== '') return false;
  return OPENINGS.test(`${ascii(bytes, 1500).replace(/^[\ufeff\u00ef\u00bb\u00bf\s]+/, '')} `);
}

/** Returns the media type that a browser uses: the last of several, empty for an unknown one. */
function typeOf(contentType: string): string {
  const types = contentType.split(',').map((part) => part.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  return types.findLast((type) => /^[^\s/]+\/[^\s/]+$/.test(type) && !UNKNOWN_TYPES.has(type)) ?? '';
}

function ascii(bytes: Uint8Array, length: number): string {
  return new TextDecoder('windows-1252').decode(bytes.subarray(0, length));
}
