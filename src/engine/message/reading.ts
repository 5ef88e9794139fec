import type { LinkSentence } from './sentence.ts';

/** What the readers of one message share: their budget, whether something was left out, and where the links stand. */
export interface Reading {
  /** False once something of the message was left out. */
  readonly isWhole: boolean;
  /** True once the budget is spent: the reader stops, and what it has not read counts as left out. */
  isSpent(): boolean;
  leaveOut(): void;
  /** The sentence of each link by its URL: the first in which it stands. */
  readonly sentences: ReadonlyMap<string, LinkSentence>;
  /** Notes the sentence of a link, which is cut out of the message only where it is the first of that link. */
  noteSentence(url: string, sentenceOf: () => LinkSentence): void;
}

/** Nobody reads more of them, and each costs time and memory. */
const MAX_SENTENCES = 2000;

/** Begins to read a message whose budget `isSpent` knows; without one, it is read to its end. */
export function createReading(isSpent: () => boolean = () => false): Reading {
  let isWhole = true;
  const sentences = new Map<string, LinkSentence>();
  return {
    get isWhole() {
      return isWhole;
    },
    isSpent() {
      const spent = isSpent();
      if (spent) isWhole = false;
      return spent;
    },
    leaveOut() {
      isWhole = false;
    },
    sentences,
    noteSentence(url, sentenceOf) {
      if (sentences.size < MAX_SENTENCES && !sentences.has(url)) sentences.set(url, sentenceOf());
    },
  };
}
