import { mapWith } from '#src/core/base/guard.ts';
import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import { isPhrases, readFacts } from '../fact-file.ts';
import file from './mail-lures.json' with { type: 'json' };

/** Topics of lures: claims that a reader is to believe, and acts that are asked for. */
export const LURE_TOPICS = [
  ...(['account', 'mailbox', 'parcel', 'payment', 'document', 'prize', 'wallet', 'money', 'advert'] as const),
  ...(['callback', 'urgency', 'secret'] as const),
] as const;

/** One of {@link LURE_TOPICS}. */
export type LureTopic = (typeof LURE_TOPICS)[number];

/**
 * Beginnings of words, one list for each word of a phrase: up to {@link MAX_GAP} other words may stand between two of
 * them. Of a script without spaces, a phrase is found as it is written.
 */
interface Phrase {
  readonly topic: LureTopic;
  readonly words: readonly (readonly string[])[];
}

/** Maximum number of words between two words of a phrase. */
const MAX_GAP = 3;

/** Maximum number of words of a text that are read, and of its UTF-16 code units; a lure comes to its point. */
const MAX_WORDS = 1200;
const MAX_TEXT = 8192;

/** Shorter beginnings of words must be the whole word. */
const MIN_BEGINNING = 4;

const isLanguages = mapWith(mapWith(isPhrases));

const entries = Object.entries(readFacts('mail-lures.json', file, isLanguages)).map(([topic, phrases]) => {
  const known = LURE_TOPICS.find((one) => one === topic);
  if (known === undefined) throw new Error(`mail-lures.json: ${topic} is not a topic`);
  return [known, Object.values(phrases).flat()] as const;
});

/** Scripts that set no spaces between words. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const BY_BEGINNING = new Map<string, (readonly [beginning: string, phrase: Phrase])[]>();
const WRITTEN: { readonly topic: LureTopic; readonly text: string; readonly plain: string }[] = [];

for (const [topic, phrases] of entries)
  for (const text of phrases) {
    if (SPACELESS.test(text)) {
      WRITTEN.push({ topic, text, plain: folded(text) });
      continue;
    }
    const words = folded(text)
      .split(' ')
      .map((word) => word.split('|'));
    const phrase = { topic, words };
    for (const beginning of words[0] ?? []) {
      const key = beginning.slice(0, MIN_BEGINNING);
      const others = BY_BEGINNING.get(key);
      if (others) others.push([beginning, phrase]);
      else BY_BEGINNING.set(key, [[beginning, phrase]]);
    }
  }

/**
 * Finds what a text wants of its reader, with the words that say so; at most one for each topic. Takes time that grows with
 * the length of the text alone.
 */
export function luresIn(text: string): ReadonlyMap<LureTopic, string> {
  const plain = folded(text.slice(0, MAX_TEXT));
  const found = new Map<LureTopic, string>();
  if (SPACELESS.test(plain))
    for (const { topic, text: written, plain: wanted } of WRITTEN)
      if (!found.has(topic) && plain.includes(wanted)) found.set(topic, written);
  const words = plain.match(WORD)?.slice(0, MAX_WORDS) ?? [];
  for (const [at, word] of words.entries())
    for (const [beginning, { topic, words: wanted }] of BY_BEGINNING.get(word.slice(0, MIN_BEGINNING)) ?? NO_PHRASES) {
      if (found.has(topic) || !word.startsWith(beginning)) continue;
      const end = endOf(words, at + 1, wanted);
      if (end !== null) found.set(topic, wordsOf(text).slice(at, end).join(' '));
    }
  return found;
}

const NO_PHRASES: readonly (readonly [beginning: string, phrase: Phrase])[] = [];

const WORD = /[\p{L}\p{N}]+/gu;

/** Returns the words of a text as they are written; as many as {@link WORD} finds in the folded text. */
function wordsOf(text: string): readonly string[] {
  return (
    withoutInvisible(text.slice(0, MAX_TEXT))
      .normalize('NFKC')
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}’']*/gu) ?? []
  );
}

/** Returns the place behind the last word of a phrase whose second word may be at `start`; null if one is missing. */
function endOf(words: readonly string[], start: number, [, ...wanted]: Phrase['words']): number | null {
  let at = start;
  for (const beginnings of wanted) {
    const last = at + MAX_GAP;
    while (at <= last && !isOne(words[at] ?? '', beginnings)) at++;
    if (at > last) return null;
    at++;
  }
  return at;
}

function isOne(word: string, beginnings: readonly string[]): boolean {
  return beginnings.some((one) => (one.length < MIN_BEGINNING ? word === one : word.startsWith(one)));
}

/** Returns a text in lower case, in compatible letters, without marks over them. */
function folded(text: string): string {
  return withoutInvisible(text)
    .normalize('NFKD')
    .replace(/[\p{M}’']+/gu, '')
    .toLowerCase();
}
