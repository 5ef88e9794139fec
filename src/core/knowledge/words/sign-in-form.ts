import type { Target } from '#src/core/url/target.ts';
import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './sign-in-words.json' with { type: 'json' };

const WORDS = wordsIn(readFacts('sign-in-words.json', file, isNameLines)).toSorted((a, b) => b.length - a.length);

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
