import { readFileSync } from 'node:fs';
import type english from './en.json';
import { LANGUAGES, type LanguageTag } from './languages.ts';

/** All texts of a language. A test compares each with those of English. */
export type Texts = typeof english;

/** Reads the texts of all languages. Called at build time, or by who runs the program from its source. */
export function readTexts(): Readonly<Record<LanguageTag, Texts>> {
  const read = (tag: string) => JSON.parse(readFileSync(`${import.meta.dir}/${tag}.json`, 'utf8'));
  // Complete, because the list of languages is.
  return Object.fromEntries(Object.keys(LANGUAGES).map((tag) => [tag, read(tag)])) as Record<LanguageTag, Texts>;
}
