import { thinMarks } from '#src/core/url/read-url.ts';

/**
 * Returns text in the form in which brands are compared: letters and digits only, lower case, without Latin accents
 * (`Crédit-Agricole` becomes `creditagricole`).
 */
export function squash(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Returns the words of a text in the form of {@link squash}. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Removes accents from Latin letters only; in kana, Hangul or Cyrillic, combining marks make other letters. */
function fold(text: string): string {
  return thinMarks(text)
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase();
}
