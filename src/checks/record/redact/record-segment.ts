import { foldName, PERSON_NAMES } from '#src/core/knowledge/words/secret-names.ts';

/** Letters and digits in a few groups: `P-1234567`, `INV-2024-0815`, `A123456789`. */
const GROUPS = /^[a-z\d]+(?:[-_. ][a-z\d]+){0,5}$/i;
/** Words of a title are longer than the prefix of a number. */
const WORD = /[a-z][A-Za-z]{4}|[A-Za-z]{4}[a-z]/;
const MIN_DIGITS = 4;
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/g;
/** Booking references of airlines and hotels: about six capitals and digits. */
const LOCATOR = /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,8}$/;

/** Numbers of gift cards and vouchers: `ABCD-EFGH-JKLM`. */
const VOUCHER = /^[A-Z\d]{3,5}(?:-[A-Z\d]{3,5}){2,5}$/;
/** Returns true for the number of a gift card or voucher; some have no digit. */
export function isVoucher(text: string): boolean {
  return VOUCHER.test(text);
}

const DAY = /^(?:19|20)\d{2}([-._])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$/;

/** Returns true for the number of a person or record; not for a year, a day or a few digits. */
export function isRecordNumber(segment: string): boolean {
  if (isVoucher(segment)) return true;
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

/** Returns true for a person's name in capitalized form: `Erika Mustermann`, but not `summer`. */
export function isWrittenName(value: string): boolean {
  return /^\p{Lu}/u.test(value) && isPersonName(value);
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
