import { english } from './en.ts';
import type { LanguageTag } from './known.ts';
import type { Language } from './language.ts';

/** Names a sentence of the page. */
export type SentenceKey = keyof (typeof english)['sentences'];

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

/** A speaker of a language. */
export function createSpeaker(tag: LanguageTag, language: Language): Speaker {
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
