import { loadTexts, type MailKey } from '../languages/language.ts';
import { createTeller, knownText, type Speaker, type Teller } from '../languages/speak.ts';
import type { Locale } from '../shell/locale.ts';

/** A locale that also has the sentences on mails, and their reasons. */
export interface MailLocale extends Locale {
  readonly tell: Teller<MailKey>;
}

/** Loads the sentences on mails beside those of a locale. Rejects if the service does not deliver them. */
export async function mailLocale({ say, format }: Locale): Promise<MailLocale> {
  const { sentences, headings, reasons } = await loadTexts(say.tag, 'mail');
  const speaker: Speaker = Object.assign((...words: Parameters<Speaker>) => say(...words), say, {
    heading: (code: string) => knownText(headings, code) ?? say.heading(code),
    reason: (code: string, args: Parameters<Speaker['reason']>[1]) =>
      knownText(reasons, code) ?? say.reason(code, args),
  });
  return { say: speaker, format, tell: createTeller(sentences) };
}
