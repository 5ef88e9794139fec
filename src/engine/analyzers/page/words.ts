import { LURE_WORDS, setsNoSpaces } from '#src/core/knowledge/words/lure-words.ts';
import { thinMarks } from '#src/core/url/read-url.ts';

/**
 * Words of login pages for an action, a thing or a legal form, which name nobody. In the main languages, without
 * accents.
 */
const WORDS = LURE_WORDS.nobodysName;
/** Sequences of these words in scripts without spaces. */
const RUN = new RegExp(`^(?:${[...WORDS].filter(setsNoSpaces).join('|')})+$`);
/** Words that can be part of a host name without a hyphen between them. */
const IN_NAMES = new RegExp(
  [...WORDS]
    .filter((word) => /^[a-z]{4,}$/.test(word))
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'g',
);

/** Returns true if a word in the form of `wordsOf` names nobody, or is a number. */
export function isGeneric(word: string): boolean {
  return WORDS.has(word) || /^\d+$/.test(word) || RUN.test(word);
}

/** Returns a label of a host without its generic words; empty for `secure-login24`. */
export function distinctivePart(label: string): string {
  return label
    .split(/[-_.]/)
    .filter((part) => !isGeneric(part))
    .join('')
    .replace(IN_NAMES, '')
    .replace(/\d+/g, '');
}

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

/** Returns the last segment of an address's path, undecoded; empty if the path ends with a slash. */
export function fileNameOf(address: string): string {
  return address.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
}
