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

/**
 * Position of a name in a label. `label`: the whole label; `token`: delimited by hyphens, digits or ends; `lure`:
 * surrounded only by words such as login or secure; `edge`: at the beginning or end of a longer word; `inside`: within
 * a longer word.
 */
export type Extent = 'label' | 'token' | 'lure' | 'edge' | 'inside';

/** The extent of what stands from `start` to `end` in a lower-case label. */
export function extentOf(label: string, start: number, end: number, lureWords: ReadonlySet<string>): Extent {
  if (start === 0 && end === label.length) return 'label';
  const beginsWord = isBoundary(label, start);
  const endsWord = isBoundary(label, end);
  if (beginsWord && endsWord) return 'token';
  let left = start;
  while (!isBoundary(label, left)) left--;
  let right = end;
  while (!isBoundary(label, right)) right++;
  const isLured =
    (beginsWord || lureWords.has(label.slice(left, start))) && (endsWord || lureWords.has(label.slice(end, right)));
  if (isLured) return 'lure';
  return beginsWord || endsWord ? 'edge' : 'inside';
}

/** Returns true if a name may begin or end between the characters at `at - 1` and `at`: an end, a hyphen, a digit beside a letter. */
function isBoundary(label: string, at: number): boolean {
  if (at === 0 || at === label.length) return true;
  return !isLetter(label.charCodeAt(at - 1)) || !isLetter(label.charCodeAt(at));
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code >= 0x80;
}
