/** `##` and its kin, between hosts and what is chosen on their pages. */
const COSMETIC = /^[^\s/#]*#[@?$%]{0,3}#/;

/** Returns true for a rule about parts of a page, as filter lists have them, but not for a comment of number signs. */
export function isCosmeticRule(line: string): boolean {
  return COSMETIC.test(line) && !/^#+(?:\s|$)|^#{4}/.test(line);
}
