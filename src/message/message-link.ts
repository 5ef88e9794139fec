import { type Mismatch, mismatchOf } from './mismatch.ts';

/** A link of a message: where it leads, and what a reader is told. */
export interface MessageLink {
  /** Where it leads, written as a check takes it. */
  readonly url: string;
  /** What a reader sees in its place, on one line; null where that is the address itself, or nothing. */
  readonly words: string | null;
  /** Null where the words name no host, or the one to which the link leads. */
  readonly mismatch: Mismatch | null;
}

/** Longer words say nothing more, in UTF-16 code units. */
const MAX_WORDS = 200;

/** A link behind words, which may be empty. */
export function messageLink(url: string, shown: string): MessageLink {
  const words = shown
    .slice(0, 4 * MAX_WORDS)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS)
    .toWellFormed();
  if (words === '' || words === url) return { url, words: null, mismatch: null };
  return { url, words, mismatch: mismatchOf(words, url) };
}

/** Each link once; where its words contradict it in one place, that place is the one that is kept. */
export function withoutRepeats(links: readonly MessageLink[]): MessageLink[] {
  const byUrl = new Map<string, MessageLink>();
  for (const link of links) {
    const known = byUrl.get(link.url);
    const isTelling = known?.mismatch === null && link.mismatch !== null;
    if (known === undefined || isTelling || (known.words === null && link.words !== null)) byUrl.set(link.url, link);
  }
  return [...byUrl.values()];
}
