import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';

/** Digits with the marks of telephone numbers between them, and how many digits these have (E.164). */
const NUMBER = /\+?\(?\d[\d ().\p{Pd}]{7,20}\d/gu;
const [MIN_DIGITS, MAX_DIGITS] = [9, 15];

/** Maximum number of numbers of a text that are read, and of its UTF-16 code units. */
const MAX_NUMBERS = 30;
const MAX_TEXT = 8192;

/** Returns the telephone numbers in a text, also in styled digits. */
export function phoneNumbersIn(text: string): readonly string[] {
  const plain = withoutInvisible(text.slice(0, MAX_TEXT)).normalize('NFKC');
  const numbers = plain.match(NUMBER)?.slice(0, MAX_NUMBERS) ?? [];
  return numbers.filter((number) => {
    const digits = number.replace(/\D+/g, '').length;
    return digits >= MIN_DIGITS && digits <= MAX_DIGITS && /[ ().+\p{Pd}]/u.test(number);
  });
}
