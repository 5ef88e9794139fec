import { mapWith } from '#src/core/base/guard.ts';
import { isWordLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './lure-words.json' with { type: 'json' };

/** Roles of words of lures and logins. A word may have several roles and is in the table once. */
const ROLES = [
  // Phishing puts it beside a brand's name in a host: login, secure, track, claim.
  'besideBrand',
  // The lexical model was trained to count these: a change requires training.
  'trained',
  // On login pages for an action, a thing or a legal form, without accents; names nobody.
  'nobodysName',
  // Lures spell it with look-alike characters.
  'disguised',
  // On the button that continues a login.
  'button',
] as const;

/** The words of each role, in lower case. */
export type LureWords = Readonly<Record<(typeof ROLES)[number], ReadonlySet<string>>>;

/** Reads the table: words under all the roles that they have; `_` stands for a space. Throws if it is damaged. */
export function readLureWords(table: unknown): LureWords {
  const rows = Object.entries(readFacts('lure-words.json', table, isRows));
  const wordsOf = (role: string) =>
    new Set(rows.flatMap(([roles, lines]) => (roles.split(' ').includes(role) ? wordsIn(lines) : [])).map(spaced));
  return {
    besideBrand: wordsOf('besideBrand'),
    trained: wordsOf('trained'),
    nobodysName: wordsOf('nobodysName'),
    disguised: wordsOf('disguised'),
    button: wordsOf('button'),
  };
}

/** The table that is part of the program. */
export const LURE_WORDS: LureWords = readLureWords(file);

/** Returns true if a word is of a script that sets no spaces between words, where it has no boundaries to be found by. */
export function setsNoSpaces(word: string): boolean {
  return /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+$/u.test(word);
}

function spaced(word: string): string {
  return word.replaceAll('_', ' ');
}

function isRows(value: unknown): value is Readonly<Record<string, string[]>> {
  const isRole = (name: string) => ROLES.some((role) => role === name);
  return mapWith(isWordLines)(value) && Object.keys(value).every((roles) => roles.split(' ').every(isRole));
}
