import { decodeBase64 } from './base64.ts';
import { firstValue, type LinkParts, pairsOf } from './link-parts.ts';
import { percentDecode } from './percent-decode.ts';

const HOST = /^urldefense(?:\.proofpoint)?\.(?:com|us)$/;
const V3_START = '/v3/__';
/** Lengths of a run `**X`: A stands for 2 and so on, in the order of base64url. */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the URL inside a link of Proofpoint's URL Defense, versions 1 to 3 (after its published decoder), or null.
 */
export function unwrapProofpoint(link: LinkParts): string | null {
  if (!HOST.test(link.host)) return null;
  const encoded = link.path.startsWith(V3_START) ? null : firstValue(pairsOf(link.query), 'u');
  if (link.path.startsWith('/v1/')) return encoded;
  if (link.path.startsWith('/v2/')) {
    return encoded === null ? null : percentDecode(encoded.replaceAll('-', '%').replaceAll('_', '/'));
  }
  return link.path.startsWith(V3_START) ? unwrapV3(link) : null;
}

/**
 * Decodes `/v3/__URL__;BYTES!…`: each `*` in the URL stands for the next character of BYTES, `**X` for a run of them.
 */
function unwrapV3(link: LinkParts): string | null {
  const text = `${link.path}${link.query === '' ? '' : `?${link.query}`}`.slice(V3_START.length);
  const [separator] = /__(?:;|%3B)/i.exec(text) ?? [];
  if (separator === undefined) return null;
  const end = text.indexOf(separator);
  const url = percentDecode(text.slice(0, end)).replace(/^(https?:\/)(?=[^/])/i, '$1/');
  const replaced = [...(decodeBase64(text.slice(end + separator.length).split(/!|%21/, 1)[0] ?? '') ?? '')];
  let used = 0;
  return url.replace(/\*(?:\*([\w-]))?/g, (_, length: string | undefined) => {
    const count = length === undefined ? 1 : RUN_LENGTHS.indexOf(length) + 2;
    const run = replaced.slice(used, used + count).join('');
    used += count;
    return run;
  });
}
