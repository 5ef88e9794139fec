/**
 * A comment: behind `#`, `;` or `//` at the beginning of a line or behind white space, and behind `!` at its beginning.
 * Nothing else in a list has a space before these.
 */
const COMMENT = /(?:^|\s)(?:#|;|\/\/)\s*([\s\S]*)|^\s*!\s*([\s\S]*)/;

/** A line without its comment and white space, and the comment; null if it has none. */
export function splitComment(line: string): { readonly text: string; readonly comment: string | null } {
  const bare = line.includes('<') ? line.replace(/^\s*<pre>|<\/pre>\s*$/gi, '') : line;
  const found = COMMENT.exec(bare);
  const comment = (found?.[1] ?? found?.[2] ?? '').trim() || null;
  return { text: (found ? bare.slice(0, found.index) : bare).trim(), comment };
}
