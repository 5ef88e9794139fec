import type { conditionsEnglish } from './en.ts';

/** Sentences of all conditions in one language. */
export type ConditionTexts = Readonly<Record<keyof typeof conditionsEnglish, string>>;
