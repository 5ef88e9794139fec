import { SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';
import { holdsMailAddress } from './mail-address.ts';
import { isRandom, isRandomValue } from './random-looking.ts';

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;
const MIN_LENGTH = 9;

/**
 * Returns true for a value that is recognizable as a secret whatever its name: a UUID, a card or account number, a
 * telephone or social security number, an address in base64, a service's key, cookies, precise coordinates, long random
 * text.
 */
export function isSecretValue(value: string): boolean {
  if (value.length < MIN_LENGTH) return false;
  if (isNumberOfPerson(value) || isUuid(value) || isRandom(value) || isEncodedAddress(value)) return true;
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
export function isAuthorization(value: string): boolean {
  return AUTHORIZATION.test(value) || CREDENTIALS.test(value) || AUTHORIZATION_PARAMETERS.test(value);
}

const AUTHORIZATION_PARAMETERS = /^digest[\s+]{1,3}\w{1,32}=/i;

/** The scheme must be followed by something that is not a word of a sentence. */
function isCredential(value: string): boolean {
  if (AUTHORIZATION.test(value)) return true;
  const [, credentials = ''] = CREDENTIALS.exec(value) ?? [];
  return isRandomValue(credentials) || credentials.length >= 24;
}

function isUuid(value: string): boolean {
  return value.length >= 36 && UUID.test(value);
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
