import type { LanguageTag } from '../../languages/known.ts';
import type english from './en.json';

/** Names a sentence of the console. None of them counts, so that no language needs forms of a number. */
export type ConsoleKey = keyof typeof english;

/** The console in one language, whole: what is missing is an error of types. */
export type ConsoleTexts = Readonly<Record<ConsoleKey, string>>;

/** Brings the sentences of the console in one language, which are a file of their own for the browser. */
export const CONSOLE_TEXTS: Readonly<Record<LanguageTag, () => Promise<ConsoleTexts>>> = {
  en: async () => (await import('./en.json')).default,
  ar: async () => (await import('./ar.json')).default,
  de: async () => (await import('./de.json')).default,
  es: async () => (await import('./es.json')).default,
  fr: async () => (await import('./fr.json')).default,
  it: async () => (await import('./it.json')).default,
  ja: async () => (await import('./ja.json')).default,
  pt: async () => (await import('./pt.json')).default,
};
