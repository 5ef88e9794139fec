import { isAscii } from '#src/core/base/text/is-ascii.ts';
import { foldName, SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';

const { passwords, secrets, persons, codes, maybe, describing, published } = SECRET_NAMES;
const { letters, announcing, routes, publishing, sharing } = SECRET_NAMES;
const { keyOwners, cookies, identities, coordinates, positions, addresses, numbers } = SECRET_NAMES;
const { initials, telephones, people, records } = SECRET_NAMES;
const PASSWORD_STEM = anyOf(SECRET_NAMES.passwordStems);
const SECRET_STEM = anyOf(SECRET_NAMES.secretStems);

const NUMBER_ENDING = new RegExp(`^(.+?)(?:${[...numbers].map(RegExp.escape).join('|')})$`);

function anyOf(stems: ReadonlySet<string>): RegExp {
  return new RegExp([...stems].map(RegExp.escape).join('|'));
}

/**
 * Kinds of parameter names. `password`, and `secret` whatever the value looks like; `cookies`; `identity` except for a
 * short number; `place` for a number of degrees, `position` for one with decimals; `address` with a digit; `record`,
 * `telephone` or `name` if the value looks like one; `code` with a digit; `maybe`, `letter` and `initial` if the value
 * looks like a secret; `published` never.
 */
export type NameKind =
  | 'password'
  | 'secret'
  | 'cookies'
  | 'identity'
  | 'place'
  | 'position'
  | 'address'
  | 'record'
  | 'telephone'
  | 'name'
  | 'initial'
  | 'code'
  | 'letter'
  | 'maybe'
  | 'published'
  | 'plain';

/** Classifies an unescaped name: `access_token`, `X-Amz-Signature`, `user[pwd]`, `Contraseña`, `tｏken`. */
export function kindOfName(name: string): NameKind {
  return kindOfWords(wordsOf(name));
}

function kindOfWords(words: readonly string[]): NameKind {
  const whole = words.length === 1 ? (words[0] ?? '') : words.join('');
  if (whole === '') return 'plain';
  if (passwords.has(whole) || words.some((word) => passwords.has(word)) || PASSWORD_STEM.test(whole)) return 'password';
  if (secrets.has(whole) || persons.has(whole) || isKeyOf(words, whole)) return 'secret';
  if (published.has(whole)) return 'published';
  if (cookies.has(whole)) return 'cookies';
  if (identities.has(whole)) return 'identity';
  const isDescription = words.length > 1 && describing.has(words.at(-1) ?? '');
  if (words.some(isSecretWord) || SECRET_STEM.test(whole)) return isDescription ? describedKind(words) : 'secret';
  return kindOfPlace(words, whole) ?? kindOfCode(whole) ?? kindOfRest(words, whole, isDescription);
}

function kindOfPlace(words: readonly string[], whole: string): NameKind | null {
  if (telephones.has(whole)) return 'telephone';
  if (words.some((word) => coordinates.has(word))) return 'place';
  if (words.some((word) => positions.has(word))) return 'position';
  return words.some((word) => addresses.has(word)) || addresses.has(whole) ? 'address' : null;
}

function kindOfCode(whole: string): NameKind | null {
  if (codes.has(whole)) return 'code';
  if (letters.has(whole)) return 'letter';
  return initials.has(whole) ? 'initial' : null;
}

function kindOfRest(words: readonly string[], whole: string, isDescription: boolean): NameKind {
  const record = ofRecord(words, whole);
  if (words.length > 1 && record === 'record') return isDescription ? describedKind(words) : 'record';
  if (!words.some((word) => maybe.has(word) || codes.has(word))) {
    if (!isDescription) return record;
    return words.at(-1) === 'name' ? 'name' : 'plain';
  }
  const isOfLogin = words.some((word) => cookies.has(word)) && words.some((word) => codes.has(word));
  return isOfLogin || words.some(isAnnouncing) ? 'secret' : 'maybe';
}

/** `patient_name` is a name, `token_type` none. */
function describedKind(words: readonly string[]): NameKind {
  return words.at(-1) === 'name' ? 'name' : 'maybe';
}

/** `order`, `case_id`, `ticketno`; a `ticket_form_id` is everybody's. */
function ofRecord(words: readonly string[], whole: string): NameKind {
  if (whole === 'name') return 'name';
  const last = words.at(-1) ?? '';
  const owner = words.length > 1 && numbers.has(last) ? (words.at(-2) ?? '') : last;
  // German puts an s between the two: `vertragsnr`.
  const stem = NUMBER_ENDING.exec(last)?.[1]?.replace(/s$/, '') ?? '';
  return [owner, whole, stem].some((word) => people.has(word) || records.has(word)) ? 'record' : 'plain';
}

/** `subscription-key`, `subscriptionkey`, but not `sort_key`. */
function isKeyOf(words: readonly string[], whole: string): boolean {
  if (!whole.endsWith('key')) return false;
  return words.length > 1 ? words.some((word) => keyOwners.has(word)) : keyOwners.has(whole.slice(0, -'key'.length));
}

function isSecretWord(word: string): boolean {
  return secrets.has(word) || persons.has(word);
}

function isAnnouncing(word: string): boolean {
  return announcing.has(word);
}

/**
 * What a path segment announces about the next: a secret, perhaps a secret, a published value, a person, a record, or a
 * telephone number.
 */
export type Announcement = 'secret' | 'maybe' | 'published' | 'person' | 'record' | 'telephone' | null;

/**
 * Classifies an unescaped segment: `/otp/…`, `/verify-email/…`, `/commit/…`. A title with such a word, as in
 * `/formal-verification-tools/2021`, announces nothing.
 */
export function announcementOf(segment: string): Announcement {
  if (segment.length < 2) return sharing.has(segment) ? 'maybe' : people.has(segment) ? 'person' : null;
  if (segment.includes('=')) return null;
  const words = wordsOf(segment.replace(PAGE, ''));
  const whole = words.join('');
  if (publishing.has(whole)) return 'published';
  const isSure = words.some((word) => announcing.has(word) || word.endsWith('token')) || PASSWORD_STEM.test(whole);
  if (words.length === 1 && isJoinedAnnouncement(whole)) return 'secret';
  if (isSure && (announcing.has(whole) || words.every(isOfTheSite))) return 'secret';
  if (sharing.has(whole)) return 'maybe';
  if (telephones.has(whole)) return 'telephone';
  if (people.has(whole)) return 'person';
  if (records.has(whole)) return 'record';
  if (words.length > 1 && words.every(isOfRecords)) {
    if (words.some((word) => people.has(word))) return 'person';
    if (words.some((word) => records.has(word))) return 'record';
  }
  return kindOfWords([whole]) === 'plain' ? null : 'maybe';
}

const JOINED = new RegExp(`^(.*?)(?:${[...announcing].map(RegExp.escape).join('|')})(.*)$`);

/** `emailverify`, `resetpassword`: an announcement and a word of the site, written as one. */
function isJoinedAnnouncement(word: string): boolean {
  const [, before = '', after = ''] = JOINED.exec(word) ?? [];
  return (before === '') !== (after === '') && routes.has(before + after);
}

function isOfRecords(word: string): boolean {
  return people.has(word) || records.has(word) || routes.has(word);
}

/** Words beside an announcement. */
function isOfTheSite(word: string): boolean {
  return routes.has(word) || announcing.has(word) || isSecretWord(word) || PASSWORD_STEM.test(word);
}

/** Endings of what a server runs or shows as a page. */
const PAGE = /\.(?:[sx]?html?|php|aspx?|jspx?|do|cgi)$/i;
const FILE = /^[a-z_-]+\.(?:[sx]?html?|php|aspx?|jspx?|do|cgi|json|xml|pdf)$/i;

/** Returns true for a site's own words, such as `password` in `/reset/password`. */
export function isRoute(segment: string): boolean {
  if (/\d/.test(segment)) return routes.has(segment.toLowerCase());
  return FILE.test(segment) || wordsOf(segment).every(isOfTheSite);
}

const SMALL_LETTERS = /^[a-z]*$/;

/** Cache, because several rules in a row ask about the same name. */
let latest: { readonly name: string; readonly words: readonly string[] } = { name: '', words: [''] };

/** `accessToken`, `access-token` and `ACCESS_TOKEN` have the same words. */
function wordsOf(name: string): readonly string[] {
  if (name !== latest.name) latest = { name, words: readWords(name) };
  return latest.words;
}

function readWords(name: string): readonly string[] {
  if (SMALL_LETTERS.test(name)) return [name];
  const folded = foldName(name);
  return isAscii(folded) ? asciiWordsOf(folded) : folded.split(/[^\p{L}]+/u).filter((word) => word !== '');
}

/** A fast path for most names, at a tenth of the cost: it runs for each parameter of a link. */
function asciiWordsOf(name: string): string[] {
  const words: string[] = [];
  let start = 0;
  let before = 0;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    const isLetter = isSmall(code) || isCapital(code);
    if (isLetter && !(isCapital(code) && isSmall(before))) {
      before = code;
      continue;
    }
    if (at > start) words.push(name.slice(start, at).toLowerCase());
    start = isLetter ? at : at + 1;
    before = code;
  }
  if (start < name.length) words.push(name.slice(start).toLowerCase());
  return words;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}
