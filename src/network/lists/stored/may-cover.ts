import { FNV_BASIS, fnvStep } from '#src/core/base/fnv.ts';
import type { EntryKeys } from './entry-keys.ts';

const [SLASH, COLON, AT, DOT, BRACKET, QUESTION, HASH] = [0x2f, 0x3a, 0x40, 0x2e, 0x5d, 0x3f, 0x23];

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Returns false only if no entry covers the URL between two places of `bytes`, which is in the notation of the platform.
 * Reads its host alone, in one pass and without objects.
 */
export function mayCover(
  { texts, authorities, blockBits }: Pick<EntryKeys, 'texts' | 'authorities' | 'blockBits'>,
  bytes: Uint8Array,
  from: number,
  to: number,
): boolean {
  const start = bytes.indexOf(SLASH, from) + 2;
  if (start < from + 2 || start > to) return false;
  let [host, end, port] = [start, start, -1];
  for (; end < to && bytes[end] !== SLASH && bytes[end] !== QUESTION && bytes[end] !== HASH; end++) {
    if (bytes[end] === AT) [host, port] = [end + 1, -1];
    // An IPv6 address has colons of its own, and more spellings than are worth a look.
    if (bytes[end] === BRACKET) return true;
    if (bytes[end] === COLON) port = end;
  }
  const hostEnd = port === -1 ? end : port;
  const authorityEnd = port !== -1 && isUsual(bytes, port + 1, end) ? port : end;
  let authority = FNV_BASIS;
  for (let at = host; at < authorityEnd; at++) authority = fnvStep(authority, bytes[at] ?? 0);
  if (authorities.mayHave(authority) || bytes[hostEnd - 1] === DOT) return true;
  if (blockBits.length > 0 && isDigit(bytes[hostEnd - 1])) return true;
  let hash = FNV_BASIS;
  for (let at = hostEnd - 1; at >= host; at--) {
    hash = fnvStep(hash, bytes[at] ?? 0);
    if ((at === host || bytes[at - 1] === DOT) && texts.has(bytes, at, hostEnd, hash)) return true;
  }
  return false;
}

/** Returns true for the port 80 or 443, which lists do not write. */
function isUsual(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from === 2) return bytes[from] === 0x38 && bytes[from + 1] === 0x30;
  return to - from === 3 && bytes[from] === 0x34 && bytes[from + 1] === 0x34 && bytes[from + 2] === 0x33;
}
