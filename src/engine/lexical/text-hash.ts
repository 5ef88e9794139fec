import { FNV_BASIS, fnvStep, mixHash } from '#src/core/base/fnv.ts';

/** Returns the 32-bit hash of `text` from `start` to `end`, in lower case: the key of the model's tables. */
export function hashText(text: string, start = 0, end = text.length): number {
  let hash = FNV_BASIS;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    hash = fnvStep(hash, code >= 65 && code <= 90 ? code + 32 : code);
  }
  return mixHash(hash);
}
