import { skeleton } from '#src/core/url/confusable.ts';

/** A label as it looks, with the positions of its characters in the original. */
export interface FoldedLabel {
  /** The skeleton without hyphens. */
  readonly folded: string;
  /** For each character of `folded` the index in the label of the one that it comes from. */
  readonly starts: readonly number[];
}

const HYPHEN = 0x2d;
const ASCII_SKELETONS = Array.from({ length: 128 }, (_, code) => skeleton(String.fromCharCode(code)));

/** Folds a label that {@link import('#src/core/url/confusable.ts').toPlainLookAlike} has made plain. */
export function foldLabel(plain: string): FoldedLabel {
  let folded = '';
  const starts: number[] = [];
  for (let i = 0; i < plain.length; i++) {
    const code = plain.charCodeAt(i);
    if (code === HYPHEN) continue;
    const part = ASCII_SKELETONS[code] ?? plain[i] ?? '';
    folded += part;
    for (let k = 0; k < part.length; k++) starts.push(i);
  }
  return { folded, starts };
}
