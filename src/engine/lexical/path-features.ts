import { LURE_WORDS } from '#src/core/knowledge/words/lure-words.ts';
import { hashText } from './hash-table.ts';
import { slotsOf } from './slots.ts';
import type { UrlParts } from './url-parts.ts';

/** Features of path and query beyond their character statistics. */
export const PATH_COLUMNS = [
  'depth',
  'words',
  'login_words',
  'extension',
  'capitals',
  'percent_signs',
  'double_slashes',
  'longest_word',
  'blog_software',
  'host_name_inside',
  'mail_address_inside',
  'date_inside',
  'language_inside',
  'query_length',
  'query_pairs',
  'longest_query_value',
  'address_in_query',
  'query_digits',
] as const;

const SLOT = slotsOf(PATH_COLUMNS);

/** Words of pages that ask for credentials, in English and the languages of the largest campaigns. */
const LOGIN_WORDS = new Set([...LURE_WORDS.trained].map((word) => hashText(word)));

const EXTENSIONS: ReadonlyMap<string, number> = new Map([
  ...['html', 'htm', 'shtml', 'xhtml'].map((name) => [name, 2] as const),
  ...['php', 'php5', 'phtml'].map((name) => [name, 3] as const),
  ...['asp', 'aspx', 'jsp', 'cgi', 'do', 'cfm'].map((name) => [name, 4] as const),
  ...['xml', 'json', 'rss', 'atom', 'txt', 'md', 'pdf', 'css', 'js'].map((name) => [name, 5] as const),
  ...['png', 'jpg', 'jpeg', 'gif', 'svg', 'mp4', 'webp', 'ico'].map((name) => [name, 6] as const),
  ...['zip', 'exe', 'apk', 'rar', 'dmg', 'iso', 'msi'].map((name) => [name, 7] as const),
]);

const MAX_READ = 400;

/** Returns the number of login words in a text, split at non-letters. */
export function countLoginWords(text: string): number {
  let found = 0;
  let start = 0;
  const length = Math.min(text.length, MAX_READ);
  for (let i = 0; i <= length; i++) {
    const code = i < length ? text.charCodeAt(i) | 32 : 0;
    if (code >= 97 && code <= 122) continue;
    if (i - start >= 3 && i - start <= 14 && LOGIN_WORDS.has(hashText(text, start, i))) found++;
    start = i + 1;
  }
  return found;
}

/** Writes {@link PATH_COLUMNS} into `out` from `at` on. */
export function describePath({ path, query }: UrlParts, out: Float32Array, at: number): void {
  countCharacters(path, out, at);
  out[at + SLOT.login_words] = countLoginWords(path);
  out[at + SLOT.extension] = extensionOf(path);
  out[at + SLOT.blog_software] = /(?:^|\/)(?:wp-|\.well-known|cgi-bin|~)/i.test(path) ? 1 : 0;
  out[at + SLOT.host_name_inside] = /[a-z0-9]\.(?:com|net|org|ru|co|de|pl|fr|br|jp)(?:$|[/.])/i.test(path) ? 1 : 0;
  out[at + SLOT.mail_address_inside] = path.includes('@') || /@|%40/.test(query) ? 1 : 0;
  out[at + SLOT.date_inside] = /(?:^|\/)(?:19|20)\d\d(?:\/|-|$)/.test(path) ? 1 : 0;
  out[at + SLOT.language_inside] = /^[a-z]{2}(?:[-_][a-z]{2})?(?:\/|$)/i.test(path) ? 1 : 0;
  describeQuery(query, out, at);
}

function countCharacters(path: string, out: Float32Array, at: number): void {
  const length = Math.min(path.length, MAX_READ);
  let depth = path === '' ? 0 : 1;
  let words = 0;
  let capitals = 0;
  let percents = 0;
  let doubles = 0;
  let longest = 0;
  let run = 0;
  for (let i = 0; i < length; i++) {
    const code = path.charCodeAt(i);
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
    const isPartOfWord = isLetter || (code >= 48 && code <= 57);
    if (isPartOfWord && run === 0) words++;
    run = isPartOfWord ? run + 1 : 0;
    longest = Math.max(longest, run);
    if (isLetter && code <= 90) capitals++;
    if (code === PERCENT) percents++;
    if (code !== SLASH) continue;
    depth++;
    if (path.charCodeAt(i - 1) === SLASH) doubles++;
  }
  out[at + SLOT.depth] = depth;
  out[at + SLOT.words] = words;
  out[at + SLOT.capitals] = capitals;
  out[at + SLOT.percent_signs] = percents;
  out[at + SLOT.double_slashes] = doubles;
  out[at + SLOT.longest_word] = longest;
}

const SLASH = 47;
const PERCENT = 37;

/**
 * Returns the kind of the last segment's extension, 1 for an unknown one; 0 if there is none or the path is too long.
 */
function extensionOf(path: string): number {
  const dot = path.lastIndexOf('.');
  if (path.length > MAX_READ || dot === -1 || dot < path.lastIndexOf('/')) return 0;
  return EXTENSIONS.get(path.slice(dot + 1).toLowerCase()) ?? 1;
}

function describeQuery(query: string, out: Float32Array, at: number): void {
  const length = Math.min(query.length, MAX_READ);
  let pairs = 0;
  let value = 0;
  let longest = 0;
  let digits = 0;
  for (let i = 0; i < length; i++) {
    const code = query.charCodeAt(i);
    if (code === 61) {
      pairs++;
      value = 0;
    } else if (code === 38) value = 0;
    else if (++value > longest) longest = value;
    if (code >= 48 && code <= 57) digits++;
  }
  out[at + SLOT.query_length] = query.length;
  out[at + SLOT.query_pairs] = pairs;
  out[at + SLOT.longest_query_value] = longest;
  out[at + SLOT.address_in_query] = /https?(?::|%3a)|(?:^|=)www\./i.test(query) ? 1 : 0;
  out[at + SLOT.query_digits] = digits;
}
