import { PERSON_NAMES } from '#src/core/knowledge/words/person-names.ts';
import { foldName } from '#src/core/knowledge/words/secret-names.ts';

/** Letters and digits in a few groups: `P-1234567`, `INV-2024-0815`, `A123456789`. */
const GROUPS = /^[a-z\d]+(?:[-_. ][a-z\d]+){0,5}$/i;
/** The words of a title are longer than what stands in front of a number. */
const WORD = /[a-z][A-Za-z]{4}|[A-Za-z]{4}[a-z]/;
const MIN_DIGITS = 4;
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/g;
/** How airlines and hotels name a booking: six capitals and digits or so. */
const LOCATOR = /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,8}$/;

/** How a gift card or a voucher is numbered: `ABCD-EFGH-JKLM`. */
const VOUCHER = /^[A-Z\d]{3,5}(?:-[A-Z\d]{3,5}){2,5}$/;
/** Whether a text is the number of a gift card or a voucher, of which some have no digit. */
export function isVoucher(text: string): boolean {
  return VOUCHER.test(text);
}

const DAY = /^(?:19|20)\d{2}([-._])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$/;

/** Whether a segment is the number of a person or of a record; a year or a day is none, nor are a few digits. */
export function isRecordNumber(segment: string): boolean {
  if (isVoucher(segment)) return true;
  if (segment.length > 40 || WORD.test(segment) || !GROUPS.test(segment) || DAY.test(segment)) return false;
  return LOCATOR.test(segment) || segment.replace(YEAR, '').replace(/\D+/g, '').length >= MIN_DIGITS;
}

const MAX_NAME_LENGTH = 64;
/** What parts the names of a person; a tilde stands in front of a home folder. */
const BETWEEN_NAMES = /[-_. +,~]+/;
/** What a site puts behind the name of a person where there are several of that name. */
const COUNT = /[-_.]?\d{1,8}$/;
const LETTERS = /^\p{L}[\p{L}\p{M}’']*$/u;

/** Whether a segment is the name of a person, as in `erika-mustermann`: up to four words, one of which is a common name. */
export function isPersonName(segment: string): boolean {
  if (segment.length > MAX_NAME_LENGTH) return false;
  const words = segment
    .replace(COUNT, '')
    .split(BETWEEN_NAMES)
    .filter((word) => word !== '');
  if (words.length === 0 || words.length > 4 || !words.every((word) => LETTERS.test(word))) return false;
  if (words.some(isCommonName)) return true;
  // An account is often called by an initial and the surname.
  const [word = ''] = words;
  return words.length === 1 && word.length > MIN_SURNAME && isCommonName(word.slice(1));
}

/** Whether a value is the name of a person as people write it, with a capital: `Erika Mustermann`, but not `summer`. */
export function isWrittenName(value: string): boolean {
  return /^\p{Lu}/u.test(value) && isPersonName(value);
}

/** A shorter end of a word is a name too often by chance. */
const MIN_SURNAME = 5;

function isCommonName(word: string): boolean {
  return PERSON_NAMES.has(foldName(word.toLowerCase()));
}

/** Digits as people part them. */
const DIALLED = /^\+?[\d\s().+/-]+$/;
const MIN_DIALLED = 7;

/** Whether a segment, behind one that announces it, is a telephone number. */
export function isDialled(segment: string): boolean {
  return segment.length <= 32 && DIALLED.test(segment) && segment.replace(/\D+/g, '').length >= MIN_DIALLED;
}
