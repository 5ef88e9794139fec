import { PERSON_NAMES } from '#src/knowledge/person-names.ts';
import { foldName } from '#src/knowledge/secret-names.ts';

/** Letters and digits in a few groups: `P-1234567`, `INV-2024-0815`, `A123456789`. */
const GROUPS = /^[a-z\d]+(?:[-_. ][a-z\d]+){0,5}$/i;
/** The words of a title are longer than what stands in front of a number. */
const WORD = /[a-z]{5}/i;
const MIN_DIGITS = 4;
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/g;
/** How airlines and hotels name a booking: six capitals and digits or so. */
const LOCATOR = /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,8}$/;

/** Whether a segment is the number of a person or of a record; a year is none, nor are a few digits. */
export function isRecordNumber(segment: string): boolean {
  if (segment.length > 40 || WORD.test(segment) || !GROUPS.test(segment)) return false;
  return LOCATOR.test(segment) || segment.replace(YEAR, '').replace(/\D+/g, '').length >= MIN_DIGITS;
}

const MAX_NAME_LENGTH = 64;
/** What parts the names of a person; a tilde stands in front of a home folder. */
const BETWEEN_NAMES = /[-_. +,~]+/;
const LETTERS = /^\p{L}[\p{L}\p{M}’']*$/u;

/** Whether a segment is the name of a person, as in `erika-mustermann`: up to four words, one of which is a common name. */
export function isPersonName(segment: string): boolean {
  if (segment.length > MAX_NAME_LENGTH) return false;
  const words = segment.split(BETWEEN_NAMES).filter((word) => word !== '');
  if (words.length === 0 || words.length > 4 || !words.every((word) => LETTERS.test(word))) return false;
  return words.some((word) => PERSON_NAMES.has(foldName(word.toLowerCase())));
}

/** Digits as people part them. */
const DIALLED = /^\+?[\d\s().+/-]+$/;
const MIN_DIALLED = 7;

/** Whether a segment, behind one that announces it, is a telephone number. */
export function isDialled(segment: string): boolean {
  return segment.length <= 32 && DIALLED.test(segment) && segment.replace(/\D+/g, '').length >= MIN_DIALLED;
}
