/** Offset basis of 32-bit FNV-1a (Fowler, Noll and Vo). */
export const FNV_BASIS = 0x811c9dc5;

/** Adds one unit of up to 32 bits to an FNV-1a hash. */
export function fnvStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** FNV-1a over the UTF-16 code units of a part of a text. */
export function fnvHash(text: string, start = 0, end = text.length): number {
  let hash = FNV_BASIS;
  for (let i = start; i < end; i++) hash = fnvStep(hash, text.charCodeAt(i));
  return hash;
}

/** Mixes the bits of a hash for use with a mask or remainder (Wellons, "lowbias32"). */
export function mixHash(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
