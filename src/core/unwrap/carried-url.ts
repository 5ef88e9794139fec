import { readUrl } from '#src/core/url/read-url.ts';
import { decodeBase64 } from './base64.ts';
import type { LinkParts } from './link-parts.ts';
import { percentDecode } from './percent-decode.ts';

const MAX_DECODINGS = 3;

/** Blanks that browsers and servers remove; a plus sign is one in a query. */
const LEADING_BLANKS = /^[\s\0+]+/;

/** A semicolon in the authority ends the address: no host contains one. */
const AFTER_HOST = /^((?:https?:)?[\\/]{2,}[^\\/;?#]*);.*$/is;

/**
 * Returns a value as the URL to which a browser goes from `outer`, decoding it repeatedly if needed; null if it is a path
 * beside that of `outer`, or no URL.
 *
 * @param isRewritten true for services that repair an address (`https:/example.com`) before they forward to it
 */
export function carriedUrl(value: string, outer: LinkParts, isRewritten: boolean): string | null {
  let current = value;
  for (let i = 0; i <= MAX_DECODINGS; i++) {
    current = current.replace(LEADING_BLANKS, '');
    if (/^https?:[\\/]{2}/i.test(current)) return current.replace(AFTER_HOST, '$1');
    if (isRewritten && /^https?:[\\/]?[^\\/%]/i.test(current)) return current.replace(/^(https?:)[\\/]?/i, '$1//');
    if (/^(?:[\\/]{2}|https?:[^%])/i.test(current)) return resolved(current.replace(AFTER_HOST, '$1'), outer);
    if (/^(?:https?:?%|%(?:25|2f|5c|20|0))/i.test(current)) current = percentDecode(current);
    else if (/^aHR0c/.test(current)) current = decodeBase64(current) ?? '';
    else if (isRewritten && /^eyJ/.test(current)) current = urlIn(decodeBase64(current) ?? '');
    else return null;
  }
  return null;
}

/** Resolves a reference such as `//example.com` or `/\example.com`; null if it leads to no other host. */
function resolved(reference: string, outer: LinkParts): string | null {
  const url = readUrl(reference, outer.url);
  if (url === null || !/^https?:$/.test(url.protocol) || !/[.:]/.test(url.hostname)) return null;
  return url.hostname === outer.host ? null : url.href;
}

/** Returns the URL of a JSON object such as Mailinblack's; empty if there is none. */
function urlIn(json: string): string {
  return /"url"\s?:\s?"([^"\\]{1,8000})"/.exec(json)?.[1] ?? '';
}
