import { LURE_WORDS, setsNoSpaces } from '#src/core/knowledge/words/lure-words.ts';

/** Words of login pages that name an act, a thing or a legal form, and nobody: in the main languages, accents off. */
const WORDS = LURE_WORDS.nobodysName;
/** Several of those in scripts that set no spaces. */
const RUN = new RegExp(`^(?:${[...WORDS].filter(setsNoSpaces).join('|')})+$`);
/** The words that can stand in a made-up host name without a hyphen between them. */
const IN_NAMES = new RegExp(
  [...WORDS]
    .filter((word) => /^[a-z]{4,}$/.test(word))
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'g',
);

/** Whether a word, spelt as `wordsOf` does, names nobody. Numbers name nobody either. */
export function isGeneric(word: string): boolean {
  return WORDS.has(word) || /^\d+$/.test(word) || RUN.test(word);
}

/** What is left of a host's label when the words that name nobody are taken out: nothing of `secure-login24`. */
export function properPart(label: string): string {
  return label
    .split(/[-_.]/)
    .filter((part) => !isGeneric(part))
    .join('')
    .replace(IN_NAMES, '')
    .replace(/\d+/g, '');
}
