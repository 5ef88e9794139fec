/**
 * Combining marks that normalisation reorders, or characters that become such marks (UAX #15), in time quadratic in the
 * length of a run.
 */
const MARKS = /[[\p{M}\u0e33\u0eb3\uff9e\uff9f]--[\p{Variation_Selector}\u034f]]+/gv;

/** Maximum of the Stream-Safe Text Format (UAX #15 §12), which no language approaches. */
const MAX_MARKS_IN_A_ROW = 30;

/** A text without the rest of each row of marks that no language has, so that it can be normalised in linear time. */
export function thinMarks(text: string): string {
  return text.replace(MARKS, (row) => (row.length > MAX_MARKS_IN_A_ROW ? row.slice(0, MAX_MARKS_IN_A_ROW) : row));
}

/** Returns the length of the longest run of marks in a text. */
export function longestMarkRow(text: string): number {
  let longest = 0;
  for (const [row] of text.matchAll(MARKS)) longest = Math.max(longest, row.length);
  return longest;
}
