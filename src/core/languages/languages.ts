/** A language as a reader chooses it. */
interface KnownLanguage {
  /** Its own name for itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

/** Every language by its BCP 47 tag. A new one is a file beside this one, and a line here. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
  de: { name: 'Deutsch', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  it: { name: 'Italiano', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
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
