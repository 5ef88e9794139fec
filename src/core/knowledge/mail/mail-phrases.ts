import { mapWith } from '#src/core/base/guard.ts';
import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import { isPhrases, readFacts } from '../fact-file.ts';
import mailLuresFile from './mail-lures.json' with { type: 'json' };
import mailSchemesFile from './mail-schemes.json' with { type: 'json' };

/** Finds phrases in a text: at most one for each topic, with the words of the text that say so. */
type PhraseSearch<Topic> = (text: string) => ReadonlyMap<Topic, string>;

/**
 * Beginnings of words, one list for each word of a phrase: up to {@link MAX_GAP} other words may stand between two of
 * them. Of a script without spaces, a phrase is found as it is written.
 */
interface Phrase<Topic> {
  readonly topic: Topic;
  readonly number: number;
  readonly words: readonly (readonly string[])[];
}

/** Maximum number of words between two words of a phrase. */
const MAX_GAP = 3;

/** Maximum number of words of a text that are read, and of its UTF-16 code units; a lure comes to its point. */
const MAX_WORDS = 1200;
const MAX_TEXT = 8192;

/** Maximum number of places at which a phrase is tried: a hostile text repeats its first word. */
const MAX_TRIES = 40;

/** Shorter beginnings of words must be the whole word. */
const MIN_BEGINNING = 4;

/** Scripts that set no spaces between words. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The phrases of a search, by the first letters of their first words. */
interface PhraseIndex<Topic> {
  readonly byBeginning: ReadonlyMap<string, readonly (readonly [beginning: string, phrase: Phrase<Topic>])[]>;
  readonly written: readonly { readonly topic: Topic; readonly text: string; readonly plain: string }[];
  readonly count: number;
}

/**
 * Creates a search for the phrases of each topic. It takes time that grows with the length of the text alone.
 *
 * @param phrases words with spaces between them; alternatives of a word with `|`
 */
export function phraseSearch<Topic>(
  phrases: Iterable<readonly [topic: Topic, phrases: readonly string[]]>,
): PhraseSearch<Topic> {
  const { byBeginning, written, count } = indexed(phrases);
  return (text) => {
    const plain = folded(text.slice(0, MAX_TEXT));
    const found = new Map<Topic, string>();
    const ofSpaceless = SPACELESS.test(plain) ? written.filter((one) => plain.includes(one.plain)) : [];
    for (const one of ofSpaceless.toReversed()) found.set(one.topic, one.text);
    const words = plain.match(WORD)?.slice(0, MAX_WORDS) ?? [];
    const tries = new Uint8Array(count);
    let own: readonly string[] | null = null;
    for (const [at, word] of words.entries())
      for (const [beginning, { topic, words: wanted, number }] of byBeginning.get(word.slice(0, MIN_BEGINNING)) ?? []) {
        if (found.has(topic) || !begins(word, beginning) || tries[number] === MAX_TRIES) continue;
        tries[number] = (tries[number] ?? 0) + 1;
        const end = endOf(words, at + 1, wanted);
        if (end === null) continue;
        own ??= wordsOf(text);
        found.set(topic, own.slice(at, end).join(' '));
      }
    return found;
  };
}

function indexed<Topic>(phrases: Iterable<readonly [topic: Topic, phrases: readonly string[]]>): PhraseIndex<Topic> {
  const byBeginning = new Map<string, (readonly [beginning: string, phrase: Phrase<Topic>])[]>();
  const written: { readonly topic: Topic; readonly text: string; readonly plain: string }[] = [];
  const all = Iterator.from(phrases).flatMap(([topic, texts]) => texts.map((text) => ({ topic, text })));
  let count = 0;
  for (const { topic, text } of all) {
    if (SPACELESS.test(text)) {
      written.push({ topic, text, plain: folded(text) });
      continue;
    }
    const words = folded(text)
      .split(' ')
      .map((word) => word.split('|'));
    const phrase = { topic, words, number: count++ };
    for (const beginning of words[0] ?? []) {
      const key = beginning.slice(0, MIN_BEGINNING);
      byBeginning.getOrInsertComputed(key, () => []).push([beginning, phrase]);
    }
  }
  return { byBeginning, written, count };
}

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
function endOf(words: readonly string[], start: number, [, ...wanted]: Phrase<unknown>['words']): number | null {
  let at = start;
  for (const beginnings of wanted) {
    const last = at + MAX_GAP;
    while (at <= last && !beginnings.some((one) => begins(words[at] ?? '', one))) at++;
    if (at > last) return null;
    at++;
  }
  return at;
}

function begins(word: string, beginning: string): boolean {
  return beginning.length < MIN_BEGINNING ? word === beginning : word.startsWith(beginning);
}

/** Returns a text in lower case, in compatible letters, without marks over them. */
function folded(text: string): string {
  return withoutInvisible(text)
    .normalize('NFKD')
    .replace(/[\p{M}’']+/gu, '')
    .toLowerCase();
}

/** Frauds that consist of a text alone, with no link to follow. */
export const SCHEMES = [
  ...(['extortion', 'callback', 'gift_cards', 'errand', 'bank_details'] as const),
  ...(['funds', 'loan', 'job', 'romance', 'approach'] as const),
] as const;

/** One of {@link SCHEMES}. */
export type Scheme = (typeof SCHEMES)[number];

/** Parts of a scheme that a text has, by name, with the words that say so. */
export type SchemeParts = ReadonlyMap<string, string>;

const schemes = Object.entries(readFacts('mail-schemes.json', mailSchemesFile, mapWith(mapWith(mapWith(isPhrases)))));

interface SchemePart {
  readonly scheme: Scheme;
  readonly part: string;
  /** True for the part without which the others say nothing. */
  readonly isSubject: boolean;
  readonly phrases: readonly string[];
}

const SCHEME_PARTS: readonly SchemePart[] = schemes.flatMap(([name, parts]) => {
  const scheme = SCHEMES.find((one) => one === name);
  if (scheme === undefined) throw new Error(`mail-schemes.json: ${name} is not a scheme`);
  const [subject] = Object.keys(parts);
  return Object.entries(parts).map(([part, phrases]) => ({
    ...{ scheme, part, isSubject: part === subject },
    phrases: Object.values(phrases).flat(),
  }));
});

/** Topics of lures: claims that a reader is to believe, and acts that are asked for. */
export const LURE_TOPICS = [
  ...(['account', 'mailbox', 'parcel', 'payment', 'document', 'prize', 'wallet', 'money', 'advert'] as const),
  ...(['callback', 'urgency', 'secret'] as const),
] as const;

/** One of {@link LURE_TOPICS}. */
export type LureTopic = (typeof LURE_TOPICS)[number];

const entries = Object.entries(readFacts('mail-lures.json', mailLuresFile, mapWith(mapWith(isPhrases))));

const LURE_PHRASES: readonly (readonly [LureTopic, readonly string[]])[] = entries.map(([topic, phrases]) => {
  const known = LURE_TOPICS.find((one) => one === topic);
  if (known === undefined) throw new Error(`mail-lures.json: ${topic} is not a topic`);
  return [known, Object.values(phrases).flat()];
});

/** Phrases of a mail that lures and frauds consist of, with the words that say so. */
export interface MailPhrases {
  /** Lures of the subject and of the sender's name. */
  readonly headLures: ReadonlyMap<LureTopic, string>;
  readonly textLures: ReadonlyMap<LureTopic, string>;
  /**
   * Frauds that subject and text may belong to, each with its parts. A part alone is in many honest texts, and without the
   * subject of a fraud, its first part in the table, the others count for nothing.
   */
  readonly schemes: ReadonlyMap<Scheme, SchemeParts>;
}

/** One index of all phrases, so that a text is folded once. */
const search = phraseSearch<LureTopic | SchemePart>([
  ...LURE_PHRASES,
  ...SCHEME_PARTS.map((part) => [part, part.phrases] as const),
]);

/** Finds what a mail wants of its reader, and which frauds it may belong to. */
export function mailPhrases(subject: string, name: string, text: string): MailPhrases {
  const ofSubject = search(subject);
  const ofText = search(text);
  return {
    headLures: new Map([...luresOf(search(name)), ...luresOf(ofSubject)]),
    textLures: new Map(luresOf(ofText)),
    schemes: schemesOf(new Map([...ofText, ...ofSubject])),
  };
}

/** Finds the parts of a call-back in a text, by name, also without its subject. */
export const callbackParts = phraseSearch<string>(
  SCHEME_PARTS.filter(({ scheme }) => scheme === 'callback').map(({ part, phrases }) => [part, phrases] as const),
);

type Found = ReadonlyMap<LureTopic | SchemePart, string>;

function luresOf(found: Found): (readonly [LureTopic, string])[] {
  return [...found].flatMap(([topic, words]) => (typeof topic === 'string' ? [[topic, words] as const] : []));
}

function schemesOf(found: Found): ReadonlyMap<Scheme, SchemeParts> {
  const parts = [...found].flatMap(([part, words]) => (typeof part === 'string' ? [] : [{ ...part, words }]));
  const schemes = new Map<Scheme, Map<string, string>>();
  for (const { scheme, isSubject } of parts) if (isSubject) schemes.set(scheme, new Map());
  for (const { scheme, part, words } of parts) schemes.get(scheme)?.set(part, words);
  return schemes;
}
