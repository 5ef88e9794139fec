import texts from '#src/engine/reasons/message-texts.json' with { type: 'json' };
import { createTeller, knownText, type Speaker, type Teller } from '../languages/speak.ts';
import type { Locale } from '../shell/locale.ts';
import sentences from './mail-texts.json' with { type: 'json' };

/** Texts by key and language. */
type ByKey<Key extends string = string> = Readonly<Record<Key, Readonly<Record<Speaker['tag'], string>>>>;

/** Every text in every language: a missing one is an error of types. */
const TEXTS: Readonly<Record<'headings' | 'reasons', ByKey>> = texts;
const SENTENCES: ByKey<keyof typeof sentences> = sentences;

/** A locale that also has the sentences on mails, and their reasons. */
export interface MailLocale extends Locale {
  readonly tell: Teller<keyof typeof sentences>;
}

/** Returns a locale that also has the sentences on mails. */
export function mailLocale({ say, format }: Locale): MailLocale {
  const { tag } = say;
  const speaker: Speaker = Object.assign((...words: Parameters<Speaker>) => say(...words), say, {
    heading: (code: string) => knownText(TEXTS.headings, code)?.[tag] ?? say.heading(code),
    reason: (code: string, args: Parameters<Speaker['reason']>[1]) =>
      knownText(TEXTS.reasons, code)?.[tag] ?? say.reason(code, args),
  });
  const own = Object.entries(SENTENCES).map(([key, one]) => [key, one[tag]]);
  return { say: speaker, format, tell: createTeller(Object.fromEntries(own)) };
}
