import { LURE_WORDS, setsNoSpaces } from '#src/core/knowledge/words/lure-words.ts';

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
