import { createFormats, type Formats } from '../elements/format.ts';
import { isLanguageTag, LANGUAGES, type LanguageTag, preferredLanguage, regionOf } from '../languages/known.ts';
import type { Language } from '../languages/language.ts';
import { createSpeaker, type Speaker } from '../languages/speak.ts';
import { preference } from './preference.ts';

/** How the page talks to its reader. */
export interface Locale {
  readonly say: Speaker;
  readonly format: Formats;
}

const chosen = preference('language');

/** The locale of a language, whose sentences come from the service; English where they do not come. */
export async function loadLocale(tag: LanguageTag): Promise<Locale> {
  try {
    return localeOf(tag, await LANGUAGES[tag].load());
  } catch {
    return localeOf('en', await LANGUAGES.en.load());
  }
}

function localeOf(tag: LanguageTag, language: Language): Locale {
  const region = regionOf(tag, navigator.languages);
  return { say: createSpeaker(tag, language, region), format: createFormats(region) };
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
