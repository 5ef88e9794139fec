import { reversesReading } from '#src/core/base/text/untrusted-text.ts';
import { type Mismatch, mismatchOf } from './mismatch.ts';

/** A link of a message: where it leads, and what a reader is told. */
export interface MessageLink {
  /** Where it leads, written as a check takes it. */
  readonly url: string;
  /** What a reader sees in its place, on one line; null where that is the address itself, or nothing. */
  readonly words: string | null;
  /** Null where the words name no host, or the one to which the link leads. */
  readonly mismatch: Mismatch | null;
  /** `form`: a form sends data there; `page`: a saved page says that it comes from there. Absent for ordinary links. */
  readonly role?: 'form' | 'page';
  /** Present where the address was written with characters that reverse the direction of reading. */
  readonly isReversed?: true;
  /** Present where a line break may have cut a longer link, so that this may be no link of the message: not for the history. */
  readonly isGuess?: true;
}

/** Longer words say nothing more, in UTF-16 code units. */
const MAX_WORDS = 200;

/** A link behind words, which may be empty. */
export function messageLink(url: string, shown: string, role?: MessageLink['role']): MessageLink {
  const words = shownWords(shown);
  const told = words === '' || words === url;
  const link = told ? { url, words: null, mismatch: null } : { url, words, mismatch: mismatchOf(words, url) };
  return { ...link, ...(role && { role }), ...(reversesReading(url) && { isReversed: true }) };
}

/** Words as a reader sees them: on one line, and shortened. */
export function shownWords(shown: string): string {
  return shown
    .slice(0, 4 * MAX_WORDS)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS)
    .toWellFormed();
}

/** Each link once; where its words contradict it in one place, that place is the one that is kept. */
export function withoutRepeats(links: readonly MessageLink[]): MessageLink[] {
  const byUrl = new Map<string, MessageLink>();
  for (const link of links) {
    const known = byUrl.get(link.url);
    const role = known?.role ?? link.role;
    const isTelling = known?.mismatch === null && link.mismatch !== null;
    const isSure = known?.isGuess === true && link.isGuess !== true;
    const isBetter = known === undefined || isTelling || isSure || (known.words === null && link.words !== null);
    if (isBetter || role !== known.role) byUrl.set(link.url, { ...(isBetter ? link : known), ...(role && { role }) });
  }
  return [...byUrl.values()];
}
