import { mapWith } from '#src/core/base/guard.ts';
import type { Target } from '#src/core/url/target.ts';
import { isNameLines, isWordLines, readFacts, wordsIn } from '../fact-file.ts';
import lureWordsFile from './lure-words.json' with { type: 'json' };
import signInWordsFile from './sign-in-words.json' with { type: 'json' };

const WORDS = wordsIn(readFacts('sign-in-words.json', signInWordsFile, isNameLines)).toSorted(
  (a, b) => b.length - a.length,
);

const WORD = `(?:${WORDS.join('|')})(?:\\.(?:php|aspx?|jsp|do|action|html?))?`;

/** At most two plain folders before the word, and the address to return to behind it. */
const PATH = new RegExp(
  `^/(?:[\\w-]{1,20}/){0,2}(?:${WORD}|users/sign_in|session/new|wp-login\\.php)(?:/index\\.php)?/?$`,
  'i',
);
const RETURN = /^(?:[\w-]{1,24}=[^&=#@]{0,80})?$/;

/** Software that names the page in a parameter of its first page. */
const FRONT = /^\/(?:[\w-]{1,20}\/)?(?:index\.php)?$/;
const PARAMETER = new RegExp(`^[\\w-]{1,24}=(?:[\\w-]{1,20}[/:]){0,2}${WORD}(?:&[\\w-]{1,24}=[\\w-]{0,24}){0,2}$`, 'i');

/** Returns true if path and query are what software or a site calls its own sign-in page (`/login`, `/?_task=login`). */
export function isSignInForm({ path, query }: Target): boolean {
  if (path.length > 100 || query.length > 160) return false;
  return (PATH.test(path) && RETURN.test(query)) || (FRONT.test(path) && PARAMETER.test(query));
}

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
export const LURE_WORDS: LureWords = readLureWords(lureWordsFile);

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
