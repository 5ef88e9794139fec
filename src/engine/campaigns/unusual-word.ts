/** Runs of letters that are too long for a language code, a version or part of a random number. */
const WORDS = /\p{L}{4,}/gu;

/** Returns true if a text has a word that is not common. A text without one was not chosen by one author. */
export function hasUnusualWord(text: string, common: ReadonlySet<string>): boolean {
  return (text.toLowerCase().match(WORDS) ?? []).some((word) => !common.has(word));
}
