import texts from '#src/engine/reasons/message-texts.json' with { type: 'json' };
import { knownText, type Speaker } from '../languages/speak.ts';
import type { Locale } from '../shell/locale.ts';

/** Texts of the reasons of mails, by code and language. */
type ByCode = Readonly<Record<string, Readonly<Record<Speaker['tag'], string>>>>;

/** Every text in every language: a missing one is an error of types. */
const TEXTS: Readonly<Record<'headings' | 'reasons', ByCode>> = texts;

/** Returns a locale that also has the reasons of mails. */
export function mailLocale({ say, format }: Locale): Locale {
  const { tag } = say;
  const speaker: Speaker = Object.assign((...words: Parameters<Speaker>) => say(...words), say, {
    heading: (code: string) => knownText(TEXTS.headings, code)?.[tag] ?? say.heading(code),
    reason: (code: string, args: Parameters<Speaker['reason']>[1]) =>
      knownText(TEXTS.reasons, code)?.[tag] ?? say.reason(code, args),
  });
  return { say: speaker, format };
}
