import { type AuthenticationTrust, RECEIVED } from './authentication-results.ts';
import { type LinkSentence, type MessageLink, withoutRepeats } from './message-link.ts';
import type { CompareWords, WordsAgainstLink } from './mismatch.ts';

/** Takes compared links of a message, each once. */
export type TakeLinks = (links: readonly MessageLink[]) => void;

/** State shared by the readers of one message: budget, completeness, and sentences of links. */
export interface Reading {
  /** False once part of the message was skipped. */
  readonly isWhole: boolean;
  /** Returns true once the budget is spent: the reader stops, and the rest counts as skipped. */
  isSpent(): boolean;
  leaveOut(): void;
  readonly compare: CompareWords;
  /** Servers whose authentication results may be believed. */
  readonly trust: AuthenticationTrust;
  /** Takes links that a reader found and would otherwise hold; null if nobody does. */
  readonly takeLinks: TakeLinks | null;
  /** First sentence with each link, by URL. */
  readonly sentences: ReadonlyMap<string, LinkSentence>;
  /** Notes the sentence of a link; it is extracted only for the first occurrence. */
  noteSentence(url: string, sentenceOf: () => LinkSentence): void;
  /** Notes a piece of the text that a reader sees. */
  noteText(piece: string): void;
  /** Returns the noted text, truncated, and forgets it. */
  takeText(): string;
}

/** Maximum number of sentences, which bounds time and memory. */
const MAX_SENTENCES = 2000;

/** Maximum length of the noted text, in UTF-16 code units; most mails have less. */
const MAX_TEXT = 16_384;

const NOT_COMPARED: WordsAgainstLink = { mismatch: null, detour: null };

/**
 * Creates the state for a message.
 *
 * @param isSpent without it, the message is read completely
 * @param compare without it, the words of links are not compared: the page shows what was typed
 * @param takeLinks takes links whenever there are many; their sentences are not extracted then
 */
export function createReading(
  isSpent: () => boolean = () => false,
  compare: CompareWords = () => NOT_COMPARED,
  takeLinks: TakeLinks | null = null,
  trust: AuthenticationTrust = RECEIVED,
): Reading {
  let isWhole = true;
  let text = '';
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
    compare,
    trust,
    takeLinks,
    sentences,
    noteSentence(url, sentenceOf) {
      if (takeLinks === null && sentences.size < MAX_SENTENCES && !sentences.has(url)) sentences.set(url, sentenceOf());
    },
    noteText(piece) {
      if (text.length < MAX_TEXT) text += piece.slice(0, MAX_TEXT);
    },
    takeText() {
      const taken = text.slice(0, MAX_TEXT).toWellFormed();
      text = '';
      return taken;
    },
  };
}

/** Links that a reader has found and not handed over. */
export interface GatheredLinks {
  add(links: readonly MessageLink[]): void;
  /** Returns each link once. */
  distinct(): MessageLink[];
}

/** Number of links from which on repeated ones are removed, or all are handed over. */
const MANY = 1000;

/** Creates an empty collection: a mail may repeat a link a hundred thousand times, or have as many. */
export function gatherLinks(reading: Pick<Reading, 'compare' | 'takeLinks'>): GatheredLinks {
  let links: MessageLink[] = [];
  let most = MANY;
  return {
    add(found) {
      for (const link of found) links.push(link);
      if (links.length < most) return;
      links = withoutRepeats(links, reading);
      if (reading.takeLinks !== null) {
        reading.takeLinks(links);
        links = [];
      }
      most = MANY + 2 * links.length;
    },
    distinct: () => withoutRepeats(links, reading),
  };
}
