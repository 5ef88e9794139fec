import { createFormats, type Formats } from '../elements/format.ts';
import { english } from '../languages/en.ts';
import { isLanguageTag, LANGUAGES, type LanguageTag, preferredLanguage } from '../languages/known.ts';
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
    return { say: createSpeaker(tag, await LANGUAGES[tag].load()), format: createFormats(tag) };
  } catch {
    return { say: createSpeaker('en', english), format: createFormats('en') };
  }
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
