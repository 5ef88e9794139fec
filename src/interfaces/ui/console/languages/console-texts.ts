import type { LanguageTag } from '../../languages/known.ts';
import type { ConsoleTexts } from './console-language.ts';

/** Brings the sentences of the console in one language, which are a file of their own for the browser. */
export const CONSOLE_TEXTS: Readonly<Record<LanguageTag, () => Promise<ConsoleTexts>>> = {
  en: async () => (await import('./en.ts')).consoleEnglish,
  ar: async () => (await import('./ar.ts')).consoleArabic,
  de: async () => (await import('./de.ts')).consoleGerman,
  es: async () => (await import('./es.ts')).consoleSpanish,
  fr: async () => (await import('./fr.ts')).consoleFrench,
  it: async () => (await import('./it.ts')).consoleItalian,
  ja: async () => (await import('./ja.ts')).consoleJapanese,
  pt: async () => (await import('./pt.ts')).consolePortuguese,
};
