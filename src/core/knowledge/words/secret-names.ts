import { type Guard, objectWith } from '#src/core/base/guard.ts';
import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import { toPlainLookAlike } from '#src/core/url/confusable.ts';
import { isWordLines, readFacts, wordsIn } from '../fact-file.ts';
import personNamesFile from './person-names.json' with { type: 'json' };
import secretNamesFile from './secret-names.json' with { type: 'json' };

/**
 * Words of parameters and paths that announce the value beside them, as {@link foldName} writes them, in lower case.
 * Passwords are named in English, German, French, Spanish, Catalan, Portuguese, Italian, Dutch, the languages of
 * Scandinavia, Finnish, Polish, Czech, Hungarian, Romanian, Turkish, Greek, Russian, Japanese, Chinese, Korean, Arabic,
 * Hebrew, Hindi, Thai, Vietnamese and Indonesian.
 */
export interface SecretNames {
  /** A password stands behind these, and behind what has one of the stems in it. */
  readonly passwords: ReadonlySet<string>;
  readonly passwordStems: ReadonlySet<string>;
  /** Behind these stands what lets its holder in: a token, a signature, the number of a card. */
  readonly secrets: ReadonlySet<string>;
  readonly secretStems: ReadonlySet<string>;
  /** Names whose values identify a person. */
  readonly persons: ReadonlySet<string>;
  /** Behind these stands a secret if it has a digit in it: `code=482913`, but `code=summer`. */
  readonly codes: ReadonlySet<string>;
  /** One letter, as links in mails have it, behind which six digits are a code: `c=482913`. */
  readonly letters: ReadonlySet<string>;
  /** Behind these stands a secret only if it looks random: `key=9f86d081`, but `key=value`. */
  readonly maybe: ReadonlySet<string>;
  /** One letter, behind which a random value is a secret even if it is short: `e=4aBcDe`. */
  readonly initials: ReadonlySet<string>;
  /** A name that ends in one of these speaks about a secret and does not hold it: `token_type`. */
  readonly describing: ReadonlySet<string>;
  /** Names whose values are public, however random they look: `client_id`. */
  readonly published: ReadonlySet<string>;
  /** A key of one of these lets its holder in: `subscription-key`, but not `sort_key`. */
  readonly keyOwners: ReadonlySet<string>;
  /** Behind these stand cookies, as pairs. */
  readonly cookies: ReadonlySet<string>;
  /** Behind these stands what a person is known by, or the words of a wallet, but for a short number. */
  readonly identities: ReadonlySet<string>;
  /** Behind these stands a place, if it is a number of degrees: `lat=48`. */
  readonly coordinates: ReadonlySet<string>;
  /** Behind these stands a place, if it is a number with decimals, or two numbers: `position=48,11`, but `position=3`. */
  readonly positions: ReadonlySet<string>;
  /** Behind these stands an address of a person, if it has a digit in it. */
  readonly addresses: ReadonlySet<string>;
  /** Endings of names whose values are numbers: `caseno`, `order_ref`. */
  readonly numbers: ReadonlySet<string>;
  /** Schemes of the Authorization header (RFC 9110 §11), in front of what lets its holder in. */
  readonly schemes: ReadonlySet<string>;
  /** Segments of a path behind which a link that was shared has its token, if it looks like one. */
  readonly sharing: ReadonlySet<string>;
  /** Hosts whose paths grant access to anybody who knows them; also for their subdomains. */
  readonly sharingHosts: ReadonlySet<string>;
  /** Hosts with the beginning of a path, after which the rest grants access to anybody who knows it; in lower case. */
  readonly sharingPlaces: ReadonlySet<string>;
  /** Beginnings of paths at these hosts that everybody may read. */
  readonly sections: ReadonlySet<string>;
  /** Segments of a path behind which a telephone number may stand. */
  readonly telephones: ReadonlySet<string>;
  /** Hosts whose paths are telephone numbers. */
  readonly telephoneHosts: ReadonlySet<string>;
  /** Segments of a path behind which a person stands, by number or by name. */
  readonly people: ReadonlySet<string>;
  /** Segments of a path behind which the number of a record of a person may stand. */
  readonly records: ReadonlySet<string>;
  /** Prefixes of keys that services issue. */
  readonly tokenPrefixes: ReadonlySet<string>;
  /** Segments of a path behind which a secret comes: `/reset/…`. */
  readonly announcing: ReadonlySet<string>;
  /** Words of paths, which are no secrets behind an announcement: `/reset/password`. */
  readonly routes: ReadonlySet<string>;
  /** Segments of a path behind which a number or a hash is everybody's: `/commit/…`. */
  readonly publishing: ReadonlySet<string>;
  /** Endings of the files that pages are made of, which bear a hash for a name. */
  readonly assets: ReadonlySet<string>;
}

/** Computing the ASCII form of a character takes a hundred times as long as a lookup, so the table is filled on demand. */
const FOLDED: string[] = [];

/**
 * The one spelling under which names are compared: without accents, small letters but for ASCII capitals, which part
 * words, and look-alike letters as ASCII.
 */
export function foldName(name: string): string {
  if (isAscii(name)) return name;
  let folded = '';
  for (const character of name) {
    if (character <= '\x7f') folded += character;
    else if (character.length > 1) folded += fold(character);
    else folded += FOLDED[character.charCodeAt(0)] ??= fold(character);
  }
  return folded;
}

function fold(character: string): string {
  return toPlainLookAlike(character.normalize('NFKC'));
}

const isEntries: Guard<Record<keyof SecretNames, string[]>> = objectWith({
  passwords: isWordLines,
  passwordStems: isWordLines,
  secrets: isWordLines,
  secretStems: isWordLines,
  persons: isWordLines,
  codes: isWordLines,
  letters: isWordLines,
  maybe: isWordLines,
  initials: isWordLines,
  describing: isWordLines,
  published: isWordLines,
  keyOwners: isWordLines,
  cookies: isWordLines,
  identities: isWordLines,
  coordinates: isWordLines,
  positions: isWordLines,
  addresses: isWordLines,
  numbers: isWordLines,
  schemes: isWordLines,
  sharing: isWordLines,
  sharingHosts: isWordLines,
  sharingPlaces: isWordLines,
  sections: isWordLines,
  telephones: isWordLines,
  telephoneHosts: isWordLines,
  people: isWordLines,
  records: isWordLines,
  tokenPrefixes: isWordLines,
  announcing: isWordLines,
  routes: isWordLines,
  publishing: isWordLines,
  assets: isWordLines,
});

const entries = readFacts('secret-names.json', secretNamesFile, isEntries);

function words(list: keyof SecretNames): ReadonlySet<string> {
  return new Set(wordsIn(entries[list].map((line) => foldName(line).toLowerCase())));
}

/** The table that is part of the program. */
export const SECRET_NAMES: SecretNames = {
  passwords: words('passwords'),
  passwordStems: words('passwordStems'),
  secrets: words('secrets'),
  secretStems: words('secretStems'),
  persons: words('persons'),
  codes: words('codes'),
  letters: words('letters'),
  maybe: words('maybe'),
  initials: words('initials'),
  describing: words('describing'),
  published: words('published'),
  keyOwners: words('keyOwners'),
  cookies: words('cookies'),
  identities: words('identities'),
  coordinates: words('coordinates'),
  positions: words('positions'),
  addresses: words('addresses'),
  numbers: words('numbers'),
  schemes: words('schemes'),
  sharing: words('sharing'),
  sharingHosts: words('sharingHosts'),
  sharingPlaces: words('sharingPlaces'),
  sections: words('sections'),
  telephones: words('telephones'),
  telephoneHosts: words('telephoneHosts'),
  people: words('people'),
  records: words('records'),
  tokenPrefixes: new Set(wordsIn(entries.tokenPrefixes)),
  announcing: words('announcing'),
  routes: words('routes'),
  publishing: words('publishing'),
  assets: words('assets'),
};

const { given, family } = readFacts(
  'person-names.json',
  personNamesFile,
  objectWith({ given: isWordLines, family: isWordLines }),
);

/** Names of persons, as {@link foldName} writes them, in small letters: what makes two words of a path a person. */
export const PERSON_NAMES: ReadonlySet<string> = new Set(wordsIn([...given, ...family].map(foldName)));
