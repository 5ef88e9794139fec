import type { Target } from '#src/core/url/target.ts';
import { decodeBase64 } from './base64.ts';
import { percentDecode } from './percent-decode.ts';

const HOST = /^urldefense(?:\.proofpoint)?\.(?:com|us)$/;
const V3_START = '/v3/__';
/** How long a run `**X` is: A stands for 2 and so on, in the order of base64url. */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The URL inside a link of Proofpoint's URL Defense, versions 1 to 3 (as its published decoder reads them), or null. */
export function unwrapProofpoint(target: Target, query: (name: string) => string | null): string | null {
  if (!HOST.test(target.host.text)) return null;
  if (target.path.startsWith('/v1/')) return query('u');
  if (target.path.startsWith('/v2/')) {
    const encoded = query('u');
    return encoded === null ? null : percentDecode(encoded.replaceAll('-', '%').replaceAll('_', '/'));
  }
  return target.path.startsWith(V3_START) ? unwrapV3(target) : null;
}

/** `/v3/__URL__;BYTES!…`: each `*` in the URL stands for the next character of BYTES, `**X` for a run of them. */
function unwrapV3(target: Target): string | null {
  const text = `${target.path}${target.query === '' ? '' : `?${target.query}`}`.slice(V3_START.length);
  const end = text.indexOf('__;');
  if (end === -1) return null;
  const url = percentDecode(text.slice(0, end)).replace(/^(https?:\/)(?=[^/])/i, '$1/');
  const replaced = [...(decodeBase64(text.slice(end + 3).split('!', 1)[0] ?? '') ?? '')];
  let used = 0;
  return url.replace(/\*(?:\*([\w-]))?/g, (_, length: string | undefined) => {
    const count = length === undefined ? 1 : RUN_LENGTHS.indexOf(length) + 2;
    const run = replaced.slice(used, used + count).join('');
    used += count;
    return run;
  });
}
