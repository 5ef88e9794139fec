import { createFormats, type Formats } from '../elements/format.ts';
import { createSpeaker, isLanguageTag, type LanguageTag, preferredLanguage, type Speaker } from '../languages/speak.ts';
import { preference } from './preference.ts';

/** How the page talks to its reader. */
export interface Locale {
  readonly say: Speaker;
  readonly format: Formats;
}

const chosen = preference('language');

/** The locale of a language. */
export function createLocale(tag: LanguageTag): Locale {
  return { say: createSpeaker(tag), format: createFormats(tag) };
}

/** The language that the reader chose here before, else the one that the browser prefers. */
export function currentLanguage(): LanguageTag {
  const tag = chosen.read();
  return tag !== null && isLanguageTag(tag) ? tag : preferredLanguage(navigator.languages);
}

/** Remembers the reader's choice. */
export function chooseLanguage(tag: LanguageTag): void {
  chosen.write(tag);
}
