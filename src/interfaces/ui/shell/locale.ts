import { isLanguageTag, type LanguageTag, preferredLanguage, regionOf } from '#src/core/languages/languages.ts';
import { createFormats, type Formats } from '../elements/format.ts';
import { type Language, loadTexts } from '../languages/language.ts';
import { createSpeaker, type Speaker } from '../languages/speak.ts';
import { preference } from './preference.ts';

/** Texts and formats of the reader's language. */
export interface Locale {
  readonly say: Speaker;
  readonly format: Formats;
}

const chosen = preference('language');

/** Loads the locale of a language; English if the service does not deliver it. */
export async function loadLocale(tag: LanguageTag): Promise<Locale> {
  try {
    return localeOf(tag, await loadTexts(tag, 'page'));
  } catch {
    return localeOf('en', await loadTexts('en', 'page'));
  }
}

function localeOf(tag: LanguageTag, language: Language): Locale {
  const region = regionOf(tag, navigator.languages);
  return { say: createSpeaker(tag, language, region), format: createFormats(region) };
}

/** Returns the language that the reader chose, or else the browser's preference. */
export function currentLanguage(): LanguageTag {
  const tag = chosen.read();
  return tag !== null && isLanguageTag(tag) ? tag : preferredLanguage(navigator.languages);
}

/** Remembers the reader's choice. */
export function chooseLanguage(tag: LanguageTag): void {
  chosen.write(tag);
}
