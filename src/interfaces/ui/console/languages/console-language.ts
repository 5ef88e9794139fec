import type { consoleEnglish } from './en.ts';

/** Names a sentence of the console. None of them counts, so that no language needs forms of a number. */
export type ConsoleKey = keyof typeof consoleEnglish;

/** The console in one language, whole: what is missing is an error of types. */
export type ConsoleTexts = Readonly<Record<ConsoleKey, string>>;
