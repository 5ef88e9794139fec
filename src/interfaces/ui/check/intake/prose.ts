/** Ten words in a row with their marks, or as much of a language without spaces. The parts of an address are no words. */
const PROSE =
  /(?:[\p{L}\p{M}\p{N}'’-]{1,40}[\p{P}\p{S}]{0,4}\s[\s\p{P}\p{S}]{0,8}){9}\p{L}|[\u3001-\u9fff\uff01-\uff5e]{20}|[\u0e00-\u0e7f]{30}/u;

/** Beginning of a text that is searched for words, in UTF-16 code units. */
const SEARCHED = 20_000;

/** Returns true for the text of a message, unlike a list of links or a note on one. */
export const isProse = (text: string): boolean => PROSE.test(text.slice(0, SEARCHED));
