import { hasBidiReordering } from '#src/core/base/text/untrusted-text.ts';
import type { CompareWords, Detour, Mismatch } from './mismatch.ts';

/** Sentence of a message around a link, without the link. */
export interface LinkSentence {
  readonly before: string;
  readonly after: string;
}

/** Maximum length on each side, in UTF-16 code units. */
const MAX_SIDE = 140;

/** Text that is searched on each side, before white space is collapsed. */
const SEARCHED = 4 * MAX_SIDE;

/** End of a sentence or a line. */
const END = /\n|[.!?…]["'”’»)]*(?=\s)|[。！？]/g;

/**
 * Returns the sentence around a range of a text whose blocks are separated by line breaks; for a block without other
 * text, the line before.
 */
export function sentenceAround(text: string, start: number, end: number): LinkSentence {
  const left = text.slice(Math.max(0, start - SEARCHED), start);
  const right = text.slice(end, end + SEARCHED);
  const lastEnd = [...left.matchAll(END)].at(-1);
  const begin = lastEnd === undefined ? 0 : lastEnd.index + lastEnd[0].length;
  const before = ending(left.slice(begin));
  const firstEnd = right.search(END);
  const after = beginning(firstEnd === -1 ? right : right.slice(0, firstEnd + 1));
  if (before !== '' || /[\p{L}\p{N}]/u.test(after)) return { before, after };
  const lineBefore = left.trimEnd().split('\n').at(-1) ?? '';
  return { before: ending(lineBefore), after: '' };
}

function ending(text: string): string {
  const line = oneLine(text);
  return line.length <= MAX_SIDE ? line : `…${line.slice(-MAX_SIDE).toWellFormed()}`;
}

function beginning(text: string): string {
  const line = oneLine(text);
  return line.length <= MAX_SIDE ? line : `${line.slice(0, MAX_SIDE).toWellFormed()}…`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * How a page leads to an address other than by a link: `form`, as the target of a form; `script`, `refresh` and `frame`,
 * by itself or on a click. `page`: the address from which it was saved. `sender`: the site of a sender's address,
 * which is no link of the message.
 */
export const LINK_ROLES = ['form', 'script', 'refresh', 'frame', 'page', 'sender'] as const;

/** A link of a message, with the words that a reader sees. */
export interface MessageLink {
  /** URL in the notation of checks. */
  readonly url: string;
  /** Text that a reader sees instead, on one line; null if it is the address itself or empty. */
  readonly words: string | null;
  /** Null if the words name no host, or that of the link, or are not compared yet. */
  readonly mismatch: Mismatch | null;
  /** Present if the words name a host, and a service hides that of the link. */
  readonly detour?: Detour;
  /** Name of the attached file in which it is; absent for links of the message itself. */
  readonly file?: string;
  /** One of {@link LINK_ROLES}; absent for ordinary links. */
  readonly role?: (typeof LINK_ROLES)[number];
  /** Present if the address contains characters that reverse the reading direction. */
  readonly isReversed?: true;
  /**
   * Present if a line break may have cut a longer link, so that this may not be a link of the message; not for the
   * history.
   */
  readonly isGuess?: true;
}

/** Maximum length of the words, in UTF-16 code units. */
const MAX_WORDS = 200;

/** Creates a link behind words, which may be empty. */
export function messageLink(url: string, shown: string, role?: MessageLink['role']): MessageLink {
  const words = shownWords(shown);
  const isPlain = words === '' || words === url;
  return {
    url,
    words: isPlain ? null : words,
    mismatch: null,
    ...(role && { role }),
    ...(hasBidiReordering(url) && { isReversed: true }),
  };
}

/** Returns words on one line, truncated. */
export function shownWords(shown: string): string {
  return shown
    .slice(0, 4 * MAX_WORDS)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS)
    .toWellFormed();
}

/** Compares the words of the links, and returns each link once, preferably one whose words contradict it. */
export function withoutRepeats(
  links: readonly MessageLink[],
  { compare }: { readonly compare: CompareWords },
): MessageLink[] {
  const byUrl = new Map<string, MessageLink>();
  for (const one of links) {
    const link = compared(one, compare);
    const known = byUrl.get(link.url);
    const role = known?.role ?? link.role;
    const isTelling = known?.mismatch === null && link.mismatch !== null;
    const isSure = known?.isGuess === true && link.isGuess !== true;
    const isBetter = known === undefined || isTelling || isSure || (known.words === null && link.words !== null);
    if (isBetter || role !== known.role) byUrl.set(link.url, { ...(isBetter ? link : known), ...(role && { role }) });
  }
  return [...byUrl.values()];
}

/** Returns a link with what its words say that it does not. */
export function compared(link: MessageLink, compare: CompareWords): MessageLink {
  if (link.words === null || link.mismatch !== null || link.detour !== undefined) return link;
  const { mismatch, detour } = compare(link.words, link.url);
  return mismatch === null && detour === null ? link : { ...link, mismatch, ...(detour && { detour }) };
}
