import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import { foldName, SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';

const LISTS = [
  ...(['passwords', 'secrets', 'persons', 'codes', 'letters', 'maybe', 'initials', 'describing', 'published'] as const),
  ...(['keyOwners', 'cookies', 'identities', 'coordinates', 'positions', 'addresses', 'numbers'] as const),
  ...(['sharing', 'telephones', 'people', 'records', 'announcing', 'routes', 'publishing'] as const),
];

type List = (typeof LISTS)[number];

/** Lists of words, each as a bit, so that one lookup finds all lists of a word: {@link listsOf}. */
const LIST = Object.fromEntries(LISTS.map((list, place) => [list, 1 << place])) as Record<List, number>;

const LISTS_BY_WORD = new Map<string, number>();
for (const list of LISTS) {
  for (const word of SECRET_NAMES[list]) LISTS_BY_WORD.set(word, listsOf(word) | LIST[list]);
}

/** Returns the lists that have a word. */
function listsOf(word: string): number {
  return LISTS_BY_WORD.get(word) ?? 0;
}

/** Returns true if at least one of `some` is among `lists`. */
function isIn(lists: number, some: number): boolean {
  return (lists & some) !== 0;
}

/** An unescaped name, taken apart. `accessToken`, `access-token` and `ACCESS_TOKEN` have the same words. */
interface NameWords {
  readonly words: readonly string[];
  /** The words as one. */
  readonly whole: string;
  /** Lists of each word. */
  readonly lists: readonly number[];
  /** Lists that have any of the words. */
  readonly ofAny: number;
  readonly ofWhole: number;
}

const SMALL_LETTERS = /^[a-z]*$/;

/** Cache, because several rules in a row ask about the same name. */
let latest = { name: '', read: readName('') };

/** Takes a name apart. */
function readNameWords(name: string): NameWords {
  if (name !== latest.name) latest = { name, read: readName(name) };
  return latest.read;
}

function readName(name: string): NameWords {
  if (SMALL_LETTERS.test(name)) return asOneWord(name);
  const folded = foldName(name);
  const words = isAscii(folded) ? asciiWordsOf(folded) : folded.split(/[^\p{L}]+/u).filter((word) => word !== '');
  const [word = ''] = words;
  if (words.length === 1) return asOneWord(word);
  const whole = words.join('');
  const lists = words.map(listsOf);
  return { words, whole, lists, ofAny: lists.reduce((all, some) => all | some, 0), ofWhole: listsOf(whole) };
}

/** Returns a word as a name. */
function asOneWord(word: string): NameWords {
  const lists = listsOf(word);
  return { words: [word], whole: word, lists: [lists], ofAny: lists, ofWhole: lists };
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

const { passwords, secrets, persons, codes, maybe, describing, published } = LIST;
const { letters, announcing, routes, publishing, sharing } = LIST;
const { keyOwners, cookies, identities, coordinates, positions, addresses, numbers } = LIST;
const { initials, telephones, people, records } = LIST;
const PASSWORD_STEM = anyOf(SECRET_NAMES.passwordStems);
const SECRET_STEM = anyOf(SECRET_NAMES.secretStems);

const NUMBER_ENDING = new RegExp(`^(.+?)(?:${[...SECRET_NAMES.numbers].map(RegExp.escape).join('|')})$`);

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
  return kindOfWords(readNameWords(name));
}

function kindOfWords(name: NameWords): NameKind {
  const { words, whole, ofAny, ofWhole } = name;
  if (whole === '') return 'plain';
  if (isIn(ofWhole | ofAny, passwords) || PASSWORD_STEM.test(whole)) return 'password';
  if (isIn(ofWhole, secrets | persons) || isKeyOf(name)) return 'secret';
  if (isIn(ofWhole, published)) return 'published';
  if (isIn(ofWhole, cookies)) return 'cookies';
  if (isIn(ofWhole, identities)) return 'identity';
  const isDescription = words.length > 1 && isIn(name.lists.at(-1) ?? 0, describing);
  if (isIn(ofAny, secrets | persons) || SECRET_STEM.test(whole)) return isDescription ? describedKind(name) : 'secret';
  return kindOfPlace(name) ?? kindOfCode(name) ?? kindOfRest(name, isDescription);
}

function kindOfPlace({ ofAny, ofWhole }: NameWords): NameKind | null {
  if (isIn(ofWhole, telephones)) return 'telephone';
  if (isIn(ofAny, coordinates)) return 'place';
  if (isIn(ofAny, positions)) return 'position';
  return isIn(ofAny | ofWhole, addresses) ? 'address' : null;
}

function kindOfCode({ ofWhole }: NameWords): NameKind | null {
  if (isIn(ofWhole, codes)) return 'code';
  if (isIn(ofWhole, letters)) return 'letter';
  return isIn(ofWhole, initials) ? 'initial' : null;
}

function kindOfRest(name: NameWords, isDescription: boolean): NameKind {
  const { words, ofAny } = name;
  const record = ofRecord(name);
  if (words.length > 1 && record === 'record') return isDescription ? describedKind(name) : 'record';
  if (!isIn(ofAny, maybe | codes)) {
    if (!isDescription) return record;
    return words.at(-1) === 'name' ? 'name' : 'plain';
  }
  const isOfLogin = isIn(ofAny, cookies) && isIn(ofAny, codes);
  return isOfLogin || isIn(ofAny, announcing) ? 'secret' : 'maybe';
}

/** `patient_name` is a name, `token_type` none. */
function describedKind({ words }: NameWords): NameKind {
  return words.at(-1) === 'name' ? 'name' : 'maybe';
}

/** `order`, `case_id`, `ticketno`; a `ticket_form_id` is everybody's. */
function ofRecord({ words, whole, lists, ofWhole }: NameWords): NameKind {
  if (whole === 'name') return 'name';
  const ofLast = lists.at(-1) ?? 0;
  const ofOwner = words.length > 1 && isIn(ofLast, numbers) ? (lists.at(-2) ?? 0) : ofLast;
  // German puts an s between the two: `vertragsnr`.
  const stem = NUMBER_ENDING.exec(words.at(-1) ?? '')?.[1]?.replace(/s$/, '') ?? '';
  return isIn(ofOwner | ofWhole | listsOf(stem), people | records) ? 'record' : 'plain';
}

/** `subscription-key`, `subscriptionkey`, but not `sort_key`. */
function isKeyOf({ words, whole, ofAny }: NameWords): boolean {
  if (!whole.endsWith('key')) return false;
  return isIn(words.length > 1 ? ofAny : listsOf(whole.slice(0, -'key'.length)), keyOwners);
}

/**
 * Kind of the next path segment as announced by a segment: a secret, perhaps a secret, a published value, a person, a
 * record, or a telephone number.
 */
export type Announcement = 'secret' | 'maybe' | 'published' | 'person' | 'record' | 'telephone' | null;

/**
 * Classifies an unescaped segment: `/otp/…`, `/verify-email/…`, `/commit/…`. A title with such a word, as in
 * `/formal-verification-tools/2021`, announces nothing.
 */
export function announcementOf(segment: string): Announcement {
  if (segment.length < 2)
    return isIn(listsOf(segment), sharing) ? 'maybe' : isIn(listsOf(segment), people) ? 'person' : null;
  if (segment.includes('=')) return null;
  const name = readNameWords(segment.replace(PAGE, ''));
  const { words, whole, ofAny, ofWhole } = name;
  if (isIn(ofWhole, publishing)) return 'published';
  const isSure = isIn(ofAny, announcing) || words.some((word) => word.endsWith('token')) || PASSWORD_STEM.test(whole);
  if (words.length === 1 && isJoinedAnnouncement(whole)) return 'secret';
  if (isSure && (isIn(ofWhole, announcing) || areOfTheSite(name))) return 'secret';
  if (isIn(ofWhole, sharing)) return 'maybe';
  if (isIn(ofWhole, telephones)) return 'telephone';
  const record = announcedRecord(name);
  if (record !== null) return record;
  return kindOfWords(words.length === 1 ? name : asOneWord(whole)) === 'plain' ? null : 'maybe';
}

function announcedRecord({ words, lists, ofAny, ofWhole }: NameWords): 'person' | 'record' | null {
  if (isIn(ofWhole, people)) return 'person';
  if (isIn(ofWhole, records)) return 'record';
  if (words.length < 2 || !lists.every((ofWord) => isIn(ofWord, people | records | routes))) return null;
  return isIn(ofAny, people) ? 'person' : isIn(ofAny, records) ? 'record' : null;
}

const JOINED = new RegExp(`^(.*?)(?:${[...SECRET_NAMES.announcing].map(RegExp.escape).join('|')})(.*)$`);

/** `emailverify`, `resetpassword`: an announcement and a word of the site, written as one. */
function isJoinedAnnouncement(word: string): boolean {
  const [, before = '', after = ''] = JOINED.exec(word) ?? [];
  return (before === '') !== (after === '') && isIn(listsOf(before + after), routes);
}

/** Returns true for a site's words, as they are beside an announcement. */
function areOfTheSite({ words, lists }: NameWords): boolean {
  return words.every(
    (word, at) => isIn(lists[at] ?? 0, routes | announcing | secrets | persons) || PASSWORD_STEM.test(word),
  );
}

/** Endings of what a server runs or shows as a page. */
const PAGE = /\.(?:[sx]?html?|php|aspx?|jspx?|do|cgi)$/i;
const FILE = /^[a-z_-]+\.(?:[sx]?html?|php|aspx?|jspx?|do|cgi|json|xml|pdf)$/i;

/** Returns true for a site's own words, such as `password` in `/reset/password`. */
export function isRoute(segment: string): boolean {
  if (/\d/.test(segment)) return isIn(listsOf(segment.toLowerCase()), routes);
  return FILE.test(segment) || areOfTheSite(readNameWords(segment));
}
