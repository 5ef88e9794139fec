import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { japanese } from './ja.ts';
import type { Language } from './language.ts';

/** Names a sentence of the page. */
export type SentenceKey = keyof (typeof english)['sentences'];

/** Every language of the page by its BCP 47 tag. A new one is a file and a line here. */
export const LANGUAGES = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
  ja: japanese,
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageTag = keyof typeof LANGUAGES;

type Values = Readonly<Record<string, string | number>>;
type PluralKey = { [K in SentenceKey]: K extends `${infer Stem}.other` ? Stem : never }[SentenceKey];

/** Says sentences in one language. What a language has not yet is said in English. */
export interface Speaker {
  readonly tag: LanguageTag;
  (key: SentenceKey, values?: Values): string;
  /** The form of a sentence that fits a number, which it may name as `{count}`. */
  count(key: PluralKey, count: number, values?: Values): string;
  /** A sentence whose key is made of data, such as a status of the API; `fallback` where there is none. */
  maybe(key: string, fallback: string): string;
  /** A reason in this language; null where it stays as the service sent it. */
  reason(code: string): string | null;
  /** A reason as a whole sentence of this language; null where it has none for it. */
  told(code: string, args: Values): string | null;
}

/** The first language that the reader prefers and the page has; English otherwise. */
export function preferredLanguage(preferred: readonly string[]): LanguageTag {
  const tags = preferred.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return tags.find(isLanguageTag) ?? 'en';
}

/** Whether the page has a language. */
export function isLanguageTag(tag: string): tag is LanguageTag {
  return Object.hasOwn(LANGUAGES, tag);
}

/** A speaker of a language. */
export function createSpeaker(tag: LanguageTag): Speaker {
  const language: Language = LANGUAGES[tag];
  const english: Language = LANGUAGES.en;
  const find = (key: string) => ownOf(language.sentences, key) ?? ownOf(english.sentences, key);
  const say = (key: SentenceKey, values: Values = {}) => fill(find(key) ?? key, values);
  const certificateFault = (code: string) => {
    const fault = code.startsWith('certificate.')
      ? ownOf(language.sentences, code.replace('certificate', 'fault'))
      : null;
    return fault && tag !== 'en' ? `${say('component.certificate')}: ${fault}` : null;
  };
  return Object.assign(say, {
    tag,
    count(key: string, count: number, values: Values = {}) {
      const form = find(`${key}.${new Intl.PluralRules(tag).select(count)}`) ?? find(`${key}.other`) ?? key;
      return fill(form, { count: count.toLocaleString(tag), ...values });
    },
    maybe: (key: string, fallback: string) => find(key) ?? fallback,
    told(code: string, args: Values) {
      const sentence = ownOf(language.told, 'kind' in args ? `${code}.${args['kind']}` : code);
      return sentence === undefined ? null : fill(sentence, args);
    },
    reason: (code: string) => ownOf(language.reasons, code) ?? certificateFault(code),
  });
}

/** Codes and statuses come from elsewhere: `constructor` is no sentence. */
function ownOf(sentences: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(sentences, key) ? sentences[key] : undefined;
}

function fill(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
