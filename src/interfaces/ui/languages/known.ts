import type { Language } from './language.ts';

/** A language as a reader chooses it. */
interface KnownLanguage {
  /** Its own name for itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** Brings its sentences, which are a file of their own for the browser: it has those alone that its reader needs. */
  load(): Promise<Language>;
}

/** Every language of the page by its BCP 47 tag. A new one is a file, its texts in `src/engine/reasons/texts.json`, and a line here. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr', load: async () => (await import('./en.ts')).english },
  ar: { name: 'العربية', direction: 'rtl', load: async () => (await import('./ar.ts')).arabic },
  de: { name: 'Deutsch', direction: 'ltr', load: async () => (await import('./de.ts')).german },
  es: { name: 'Español', direction: 'ltr', load: async () => (await import('./es.ts')).spanish },
  fr: { name: 'Français', direction: 'ltr', load: async () => (await import('./fr.ts')).french },
  it: { name: 'Italiano', direction: 'ltr', load: async () => (await import('./it.ts')).italian },
  ja: { name: '日本語', direction: 'ltr', load: async () => (await import('./ja.ts')).japanese },
  pt: { name: 'Português', direction: 'ltr', load: async () => (await import('./pt.ts')).portuguese },
} as const satisfies Readonly<Record<string, KnownLanguage>>;

export type LanguageTag = keyof typeof LANGUAGES;

/** The first language that the reader prefers and the page has; English otherwise. */
export function preferredLanguage(preferred: readonly string[]): LanguageTag {
  const tags = preferred.map(languageIn);
  return tags.find(isLanguageTag) ?? 'en';
}

/** Returns true if the page has a language. */
export function isLanguageTag(tag: string): tag is LanguageTag {
  return Object.hasOwn(LANGUAGES, tag);
}

/** The tag by which the reader wants numbers and dates of a language written, such as `en-GB`. */
export function regionOf(tag: LanguageTag, preferred: readonly string[]): string {
  return preferred.find((one) => languageIn(one) === tag) ?? tag;
}

function languageIn(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}
