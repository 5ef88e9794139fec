import { fnvHash, fnvStep } from '#src/core/base/fnv.ts';
import type { Target } from '#src/core/url/target.ts';
import type { HashSet } from './hash-set.ts';
import type { TextTable } from './text-table.ts';

const [SLASH, STAR, AMPERSAND] = [0x2f, 0x2a, 0x26];

/** URLs without their schemes, by the hash of their text. */
export interface UrlTable {
  readonly texts: Pick<TextTable, 'find'>;
  /** Authorities, which precede the path. */
  readonly authorities: Pick<HashSet, 'mayHave'>;
  /** Lengths of the URL prefixes after the host. */
  readonly beginnings: ReadonlySet<number>;
}

/** A URL, or a beginning of URLs, that covers a target. */
export interface CoveringUrl {
  /** In the table. */
  readonly number: number;
  /** Without its scheme; a beginning has its star. */
  readonly text: string;
  readonly narrowness: number;
}

/**
 * Returns the narrowest URL of `texts` that covers a target. A URL covers everything below its path, one with a query
 * that path with any further parameters, and a prefix all URLs that begin with it.
 *
 * @param holds returns true if an entry counts; gets its number, −1 for none
 */
export function narrowestUrl(
  { host, port, path, query }: Target,
  { texts, authorities, beginnings }: UrlTable,
  holds: (number: number) => boolean,
): CoveringUrl | null {
  const name = host.kind === 'ipv6' ? `[${host.text}]` : host.text;
  const authority = port === 80 || port === 443 ? name : `${name}:${port}`;
  let hash = fnvHash(authority);
  if (!authorities.mayHave(hash)) return null;
  const url = `${authority}${path}${query && `?${query}`}`;
  const from = authority.length;
  const pathEnd = from + path.length;
  const hasBeginnings = beginnings.size > 0;
  let found = -1;
  let length = 0;
  let isBeginning = false;
  // Ends are ascending, so that the last match is the narrowest.
  for (let end = from; end <= url.length; end++) {
    const beginning =
      hasBeginnings && beginnings.has(end - from) ? texts.find(url, 0, end, STAR, fnvStep(hash, STAR)) : -1;
    const whole = isEnd(url, end, from, pathEnd) ? texts.find(url, 0, end, 0, hash) : -1;
    const best = holds(whole) ? whole : holds(beginning) ? beginning : -1;
    if (best !== -1) {
      found = best;
      length = end;
      isBeginning = best !== whole;
    }
    hash = fnvStep(hash, url.charCodeAt(end));
  }
  if (found === -1) return null;
  const text = `${url.slice(0, length)}${isBeginning ? '*' : ''}`;
  return { number: found, text, narrowness: 2 * (length - from) + (isBeginning ? 0 : 1) };
}

/** Returns true if a URL that covers this one may end here. */
function isEnd(url: string, end: number, from: number, pathEnd: number): boolean {
  if (end > pathEnd + 1) return end === url.length || url.charCodeAt(end) === AMPERSAND;
  if (end === from || end > pathEnd) return false;
  return end === pathEnd || url.charCodeAt(end) === SLASH || url.charCodeAt(end - 1) === SLASH;
}
