/** Runs of letters that are long enough to be chosen, and not a language, a version or part of a random number. */
const WORDS = /\p{L}{4,}/gu;

/** Whether a text has a word that is not among the common ones. What has none was not chosen by one hand. */
export function hasUnusualWord(text: string, common: ReadonlySet<string>): boolean {
  return (text.toLowerCase().match(WORDS) ?? []).some((word) => !common.has(word));
}
