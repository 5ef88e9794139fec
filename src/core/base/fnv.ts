/** Where an FNV-1a hash of 32 bits begins (Fowler, Noll and Vo). */
export const FNV_BASIS = 0x811c9dc5;

/** FNV-1a: the hash of what went before and one unit more, which may have up to 32 bits. */
export function fnvStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** FNV-1a over the UTF-16 code units of a text between two places. */
export function fnvHash(text: string, start = 0, end = text.length): number {
  let hash = FNV_BASIS;
  for (let i = start; i < end; i++) hash = fnvStep(hash, text.charCodeAt(i));
  return hash;
}

/** Lets every bit of a hash depend on all of it, as a table's size or a remainder asks for (Wellons, "lowbias32"). */
export function mixHash(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
