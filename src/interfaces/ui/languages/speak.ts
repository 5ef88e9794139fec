import type { LanguageTag } from '#src/core/languages/languages.ts';
import type { Language, PluralKey, SentenceKey } from './language.ts';

type Values = Readonly<Record<string, string | number>>;

/** Says the sentences of one table by their keys. */
export interface Teller<Key extends string> {
  (key: Key, values?: Values): string;
  /** Returns a sentence by a key from data, such as a status of the API; `fallback` if there is none. */
  maybe(key: string, fallback: string): string;
}

/** Says sentences in one language. */
export interface Speaker extends Teller<SentenceKey> {
  readonly tag: LanguageTag;
  /** The form of a sentence that fits a number, which it may name as `{count}`. */
  count(key: PluralKey, count: number, values?: Values): string;
  /** A reason in a few words; null for a code that this page does not know. */
  heading(code: string): string | null;
  /** Returns a reason's sentence with placeholders for its `args`; null if the page does not have the code. */
  reason(code: string, args: Values): string | null;
  /** A word of the analyzers in this language; null for any other. */
  word(word: string): string | null;
}

/** A speaker of a language; `region` is the tag by which numbers are written. */
export function createSpeaker(tag: LanguageTag, language: Language, region: string = tag): Speaker {
  const sentences: Texts = language.sentences;
  const rules = new Intl.PluralRules(tag);
  return Object.assign(createTeller<SentenceKey>(sentences), {
    tag,
    count(key: string, count: number, values: Values = {}) {
      const form = knownText(sentences, `${key}.${rules.select(count)}`) ?? knownText(sentences, `${key}.other`) ?? key;
      return fill(form, { count: count.toLocaleString(region), ...values });
    },
    heading: (code: string) => knownText(language.headings, code) ?? null,
    reason: (code: string, args: Values) =>
      knownText(language.reasons, 'kind' in args ? `${code}.${args['kind']}` : code) ?? null,
    word: (word: string) => knownText(language.words, word) ?? null,
  });
}

/** A teller of a table of sentences. */
export function createTeller<Key extends string>(sentences: Texts): Teller<Key> {
  return Object.assign((key: Key, values: Values = {}) => fill(knownText(sentences, key) ?? key, values), {
    maybe: (key: string, fallback: string) => knownText(sentences, key) ?? fallback,
  });
}

type Texts = Readonly<Record<string, string>>;

/** Returns a text by a code that comes from elsewhere: `constructor` is no sentence. */
export function knownText<Text>(texts: Readonly<Record<string, Text>>, key: string): Text | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

function fill(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
