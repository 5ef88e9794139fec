import { foldName, PERSON_NAMES, SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';
import type { Masking } from './mask.ts';
import { isRandom, isRandomValue, isShortRandomValue } from './random-looking.ts';
import type { NameKind } from './secret-name.ts';

/** Answers to a yes-or-no question, which a password is not. */
const YES_OR_NO = /^(?:true|false|yes|no|on|off)?$/i;
/** Values that programs send without a token. */
const NOTHING = /^(?:true|false|yes|no|on|off|null|none|undefined|[01])?$/i;
/** A code; a short word is not one: `?code=summer`. */
const CODE = /^(?=.*\d)\S{4,}$|^\S{16,}$/;
/** Device codes that are typed elsewhere (RFC 8628 §6.1). */
const DEVICE_CODE = /^[A-Z\d]{4}-[A-Z\d]{4}$/;
const SIX_DIGITS = /^\d{6}$/;
const SHORT_NUMBER = /^\d{1,9}$/;
/** One or two numbers of degrees. */
const DEGREES = /^[+-]?\d{1,3}(?:\.\d*)?(?:$|[,;~\s])/;
const DECIMALS = /^[+-]?\d{1,3}\.\d+/;
const TWO_NUMBERS = /^[+-]?\d{1,3}(?:\.\d*)?[,;~]\s{0,3}[+-]?\d{1,3}(?:\.\d*)?$/;

/**
 * Returns true if the value of a name of this kind is a secret. `value` is the unescaped text up to the next `=`;
 * `length` counts all characters.
 */
export function isSecretBehind(kind: NameKind, value: string, length: number, { severity }: Masking): boolean {
  if (kind === 'plain' || kind === 'published') return false;
  if (kind === 'password') return length > value.length || !YES_OR_NO.test(value);
  if (severity === 'passwords') return false;
  if (kind === 'secret') return length > value.length || !NOTHING.test(value);
  if (kind === 'cookies') return length > value.length || value.includes('=') || isRandomValue(value);
  if (kind === 'code')
    return CODE.test(value) || VOUCHER.test(value) || DEVICE_CODE.test(value) || isAuthorization(value);
  if (kind === 'maybe' || kind === 'letter' || kind === 'initial') return isPerhapsSecret(kind, value);
  return isOfPerson(kind, value);
}

function isPerhapsSecret(kind: 'maybe' | 'letter' | 'initial', value: string): boolean {
  if (isRandomValue(value) || isShortRandomValue(value)) return true;
  return (kind === 'letter' && SIX_DIGITS.test(value)) || (kind === 'maybe' && isAuthorization(value));
}

type PersonKind = 'identity' | 'place' | 'position' | 'address' | 'record' | 'telephone' | 'name';

function isOfPerson(kind: PersonKind, value: string): boolean {
  if (kind === 'identity') return !NOTHING.test(value) && !SHORT_NUMBER.test(value);
  if (kind === 'place') return DEGREES.test(value);
  if (kind === 'position') return DECIMALS.test(value) || TWO_NUMBERS.test(value);
  if (kind === 'address') return /\d/.test(value);
  if (kind === 'telephone') return isPhoneDigits(value);
  // `Erika Mustermann`, but not `summer`.
  if (kind === 'name') return (/^\p{Lu}/u.test(value) && isPersonName(value)) || isRandomValue(value);
  return isRecordNumber(value) || isPersonName(value) || isRandomValue(value);
}

const LONG_NUMBER = /^\d{5,}$/;

/** Returns true for a value that is a secret in a link that grants access, such as `/unsubscribe?id=8f3k2m9x`. */
export function isSecretOfLink(value: string): boolean {
  return isRandomValue(value) || LONG_NUMBER.test(value);
}

/** Letters and digits in a few groups: `P-1234567`, `INV-2024-0815`, `A123456789`. */
const GROUPS = /^[a-z\d]+(?:[-_. ][a-z\d]+){0,5}$/i;
/** Words of a title are longer than the prefix of a number. */
const WORD = /[a-z][A-Za-z]{4}|[A-Za-z]{4}[a-z]/;
const MIN_DIGITS = 4;
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/g;
/** Booking references of airlines and hotels: about six capitals and digits. */
const LOCATOR = /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,8}$/;

/** Numbers of gift cards and vouchers, some without a digit: `ABCD-EFGH-JKLM`. */
const VOUCHER = /^[A-Z\d]{3,5}(?:-[A-Z\d]{3,5}){2,5}$/;
const DAY = /^(?:19|20)\d{2}([-._])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$/;

/** Returns true for the number of a person or record; not for a year, a day or a few digits. */
export function isRecordNumber(segment: string): boolean {
  if (VOUCHER.test(segment)) return true;
  if (segment.length > 40 || WORD.test(segment) || !GROUPS.test(segment) || DAY.test(segment)) return false;
  return LOCATOR.test(segment) || segment.replace(YEAR, '').replace(/\D+/g, '').length >= MIN_DIGITS;
}

const MAX_NAME_LENGTH = 64;
/** Separators between the names of a person; a tilde precedes a home folder. */
const BETWEEN_NAMES = /[-_. +,~]+/;
/** Numeric suffix that a site adds to repeated names. */
const COUNT = /[-_.]?\d{1,8}$/;
const LETTERS = /^\p{L}[\p{L}\p{M}’']*$/u;

/** Returns true for the name of a person, as in `erika-mustermann`: up to four words, one of which is a common name. */
export function isPersonName(segment: string): boolean {
  if (segment.length > MAX_NAME_LENGTH) return false;
  const words = segment
    .replace(COUNT, '')
    .split(BETWEEN_NAMES)
    .filter((word) => word !== '');
  if (words.length === 0 || words.length > 4 || !words.every((word) => LETTERS.test(word))) return false;
  if (words.some(isCommonName)) return true;
  // Account names are often an initial and the surname.
  const [word = ''] = words;
  return words.length === 1 && word.length > MIN_SURNAME && isCommonName(word.slice(1));
}

/** Minimum length of a surname within a word; shorter ones match by chance. */
const MIN_SURNAME = 5;

function isCommonName(word: string): boolean {
  return PERSON_NAMES.has(foldName(word.toLowerCase()));
}

/** Digits with common separators. */
const DIALLED = /^\+?[\d\s().+/-]+$/;
const MIN_DIALLED = 7;

/** Returns true for a telephone number after a segment that announces one. */
export function isPhoneDigits(segment: string): boolean {
  return segment.length <= 32 && DIALLED.test(segment) && segment.replace(/\D+/g, '').length >= MIN_DIALLED;
}

const MAX_LOCAL_LENGTH = 64;
const DOMAIN = /(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/uy;

/** Replaces each e-mail address in a text. */
export function replaceMailAddresses(text: string, replace: (address: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const start = localPartStart(text, Math.max(done, at - MAX_LOCAL_LENGTH), at);
    if (start === at) continue;
    DOMAIN.lastIndex = at + 1;
    if (!DOMAIN.test(text)) continue;
    parts.push(text.slice(done, start), replace(text.slice(start, DOMAIN.lastIndex)));
    done = DOMAIN.lastIndex;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
}

/** Returns true if a text contains an e-mail address. */
export function holdsMailAddress(text: string): boolean {
  return replaceMailAddresses(text, () => '') !== text;
}

/** Returns the start of the local part. Letters of all scripts are allowed (RFC 6531). */
function localPartStart(text: string, from: number, at: number): number {
  let start = at;
  while (start > from && isLocalCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}

const LOCAL_CHARACTER = /[\w.%+'-]/;

function isLocalCharacter(code: number): boolean {
  return code > 0x7f || LOCAL_CHARACTER.test(String.fromCharCode(code));
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;
const MIN_LENGTH = 9;

/**
 * Returns true for a value that is recognizable as a secret whatever its name: a UUID, a card or account number, a
 * telephone or social security number, an address in base64, a service's key, cookies, precise coordinates, long random
 * text.
 */
export function isSecretValue(value: string): boolean {
  if (value.length < MIN_LENGTH) return false;
  if (isNumberOfPerson(value) || (value.length >= 36 && UUID.test(value)) || isRandom(value) || isEncodedAddress(value))
    return true;
  // Each rule's required characters are tested first: nearly every value lacks them.
  if (value.includes(',') || value.includes('!3d')) return PLACE.test(value);
  if (value.includes(' ') || value.includes('+') || value.includes(':'))
    return COOKIES.test(value) || isCredential(value);
  return SERVICE_KEY.test(value);
}

const SERVICE_KEY = new RegExp(`^(?:${anyOf(SECRET_NAMES.tokenPrefixes)})[\\w-]{8,}`);
const COOKIES = /^[\w.-]{1,64}=[^;=\s]{0,4096}; {1,3}[\w.-]{1,64}=/;
/**
 * Latitude and longitude as texts, maps and `geo:` write them (RFC 5870): with at least four decimals, with two if
 * there is nothing else, or after the `@` of a map.
 */
const PLACE =
  /(?:^|[@:])-?\d{1,2}\.\d{4,20} {0,3}, {0,3}-?\d{1,3}\.\d{4,20}|@-?\d{1,2}\.\d{2,20},-?\d{1,3}\.\d{2,20}|^-?\d{1,2}\.\d{2,20}, {0,3}-?\d{1,3}\.\d{2,20}$|!3d-?\d{1,2}\.\d{3,20}!4d-?\d{1,3}\.\d{3}/;
const SCHEME = `(?:${anyOf(SECRET_NAMES.schemes)})[\\s+]{1,3}`;
const CREDENTIALS = new RegExp(`^(?:authorization *: *)?${SCHEME}(\\S+)$`, 'i');
const AUTHORIZATION = /^(?:proxy-)?authorization[\s+]{0,3}:/i;

function anyOf(words: ReadonlySet<string>): string {
  return [...words].map(RegExp.escape).join('|');
}

/** Returns true for the value of an authorization header, whatever it looks like. */
function isAuthorization(value: string): boolean {
  return AUTHORIZATION.test(value) || CREDENTIALS.test(value) || AUTHORIZATION_PARAMETERS.test(value);
}

const AUTHORIZATION_PARAMETERS = /^digest[\s+]{1,3}\w{1,32}=/i;

/** The scheme must be followed by something that is not a word of a sentence. */
function isCredential(value: string): boolean {
  if (AUTHORIZATION.test(value)) return true;
  const [, credentials = ''] = CREDENTIALS.exec(value) ?? [];
  return isRandomValue(credentials) || credentials.length >= 24;
}

const NUMBER = /^\+?[\dA-Z]{2}[\d\sA-Z().-]{6,40}$/i;
const MAX_NUMBER_LENGTH = 43;

function isNumberOfPerson(value: string): boolean {
  if (value.length > MAX_NUMBER_LENGTH) return false;
  if (!NUMBER.test(value)) return PHONE_WITH_AREA.test(value);
  if (TRACKING.test(value)) return true;
  return isCardNumber(value) || isPhoneNumber(value) || isAccountNumber(value) || SOCIAL_SECURITY.test(value);
}

/**
 * Parcel numbers: UPU S10 with the country of a postal service, UPS, Deutsche Post, and a serial shipping container
 * code.
 */
const TRACKING = /^(?:[A-Z]{2}\d{9}[A-Z]{2}|1Z[A-Z\d]{16}|JJ?[VD]{1,2}L?\d{14,20}|00\d{18})$/;

/** Digits of the United States Social Security Administration, always in three groups. */
const SOCIAL_SECURITY = /^\d{3}-\d{2}-\d{4}$/;
/** North American telephone numbers. */
const PHONE_WITH_AREA = /^\(\d{3}\) ?\d{3}-\d{4}$/;
const PHONE_IN_GROUPS = /^\d{3}([ .-])\d{3}\1\d{4}$/;

/** ITU-T E.164 §6: a plus sign or two zeros, the country, at most 15 digits in all. */
function isPhoneNumber(value: string): boolean {
  if (PHONE_IN_GROUPS.test(value)) return true;
  const [prefix = ''] = /^(?:\+|00)/.exec(value) ?? [];
  if (prefix === '') return false;
  const digits = value.slice(prefix.length).replace(/[\s().-]+/g, '');
  return /^[1-9]\d{8,14}$/.test(digits);
}

/**
 * 13 to 19 digits that begin like those of a card network and have the check digit of ISO/IEC 7812-1, annex B. Numbers of
 * articles and books are as long.
 */
function isCardNumber(value: string): boolean {
  const digits = value.replace(/[ -]/g, '');
  if (!/^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15})$/.test(digits)) {
    return false;
  }
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48;
    sum += place % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
  }
  return sum % 10 === 0;
}

/** An IBAN (ISO 13616-1): country, check digits, account; modulo 97 it leaves 1. */
function isAccountNumber(value: string): boolean {
  const iban = value.replace(/[ -]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[\dA-Z]{11,30}$/.test(iban)) return false;
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const digit = Number.parseInt(character, 36);
    rest = (digit > 9 ? rest * 100 + digit : rest * 10 + digit) % 97;
  }
  return rest === 1;
}

/** Maximum length of text that is decoded from base64; an address takes at most 340 characters. */
const MAX_ENCODED_LENGTH = 512;

/** Base64 of at least six bytes; one of printable ASCII has these letters in every fourth place. */
const MAY_BE_ENCODED = /^(?:[I-Za-f][\w+/-]{3}){2}[\w+/-]*={0,2}$/;

/** Phishing kits carry the victim's address in base64, behind the URL of their page, alone or in a form's data or JSON. */
function isEncodedAddress(value: string): boolean {
  if (value.length > MAX_ENCODED_LENGTH || !MAY_BE_ENCODED.test(value)) return false;
  const text = Buffer.from(value, 'base64').toString('latin1');
  return /^[ -~]*$/.test(text) && holdsMailAddress(text);
}
