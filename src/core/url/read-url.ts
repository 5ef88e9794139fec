import { isAscii } from '#src/core/base/text/untrusted-text.ts';

/** A closing quote, or a separator, with another column behind it. */
const END =
  /["'](?=$|[\s,;|])|[,;|](?=$|\s|["']|https?:)|(?<=\/\/[^/?#,;|]{1,255}|\/|\.[a-z]{2,5})[,;|](?=\p{L}[\p{L}\p{N}_-]{0,60}(?:$|[\s,;|]))/iu;

/**
 * Returns the position at which a URL ends if it is the column of a table: at a closing quote, and at a comma, semicolon
 * or bar with another column behind it, which is a quote, a URL, or a word, if the URL before it ends with a host, a
 * slash or an extension. Other commas and semicolons are part of it, as in `/a,b` and `;jsessionid=1`. The length of the
 * text if it is a URL alone.
 */
export function columnEnd(text: string): number {
  const end = text.search(END);
  return end === -1 ? text.length : end;
}

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
function longestMarkRow(text: string): number {
  let longest = 0;
  for (const [row] of text.matchAll(MARKS)) longest = Math.max(longest, row.length);
  return longest;
}

/** No host that the platform's parser takes has as many combining marks in a row; to refuse 4,000 takes it 60 ms. */
const MAX_MARKS = 1100;

/** Characters that the parser removes first. */
const DROPPED = /^[\0-\x20]+|[\t\n\r]/g;
/** Schemes whose hosts are names (WHATWG URL, "special scheme"), the slashes behind, and behind a user the host. */
const BEGINNING = /^((?:https?|wss?|ftp):)?([\\/]*)(?:[^\\/?#]*@)?([^\\/?#]*)/i;

/** Parses a URL like the platform, in linear time; null if the text is not a URL. */
export function readUrl(text: string, base?: string): URL | null {
  const isHopeless = !isAscii(text) && longestMarkRow(hostIn(text, base)) >= MAX_MARKS;
  return isHopeless ? null : URL.parse(text, base);
}

/** Empty if the text names no host, but a path beside that of the base. */
function hostIn(text: string, base: string | undefined): string {
  const [, scheme, slashes = '', host = ''] = BEGINNING.exec(text.replace(DROPPED, '')) ?? [];
  const isPath = slashes.length < 2 && (scheme === undefined || base?.startsWith(scheme.toLowerCase()));
  return isPath ? '' : host;
}
