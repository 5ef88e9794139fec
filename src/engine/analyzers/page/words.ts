import { thinMarks } from '#src/core/url/marks.ts';

/** Text as brands are compared: letters and digits alone, lower case, Latin accents off (`Crédit-Agricole` is `creditagricole`). */
export function squash(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The words of a text in the same spelling. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Accents come off Latin letters alone: elsewhere (kana, Hangul, Cyrillic) such marks make other letters. */
function fold(text: string): string {
  return thinMarks(text)
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase();
}
