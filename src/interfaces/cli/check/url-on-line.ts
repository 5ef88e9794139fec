import { refang } from '#src/core/url/defang.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

/** A line of a list, taken apart. */
export interface UrlOnLine {
  /** The URL as it is written; the whole line if none is found. */
  readonly url: string;
  /** Text in front of the URL and behind it, such as the mark of a list or a label; empty if none. */
  readonly before: string;
  readonly behind: string;
}

/** A URL that nothing on its line can belong to: nearly every line of a list. */
const ALONE = /^https?:\/\/[^\s"'<>,;|]+$/i;

/** A mark of a list or a quotation: `-`, `*`, `•`, `>`, `1.`, `2)`, `[x]`. */
const LIST_MARK = /^(?:(?:[-*+•‣·–—]|\d{1,6}[.)]|\[[ x]\])\s+|>\s*){1,9}/i;

/** Columns or words in front of a scheme: `phish,https://…`, `seen: https://…`. */
const LABEL = /^[^/?#]{0,200}?[\s,;|"'<(](?=h(?:tt|xx)ps?(?::\/\/|\[:?\]|\[:\/\/\]))/i;

/** White space, a quote, or a separator with another column behind it; the first group belongs to the URL. */
const END =
  /\s|["'](?=$|[\s,;|])|[,;|](?=$|\s|["']|https?:)|(?<=\/\/[^/?#,;|]{1,255}|\/|\.[a-z]{2,5})[,;|](?=\p{L}[\p{L}\p{N}_-]{0,60}(?:$|[\s,;|]))/iu;

/**
 * Finds the URL of a line, and what else is on it. A URL ends at white space, at a closing quote, and at a comma,
 * semicolon or bar with another column behind it: a quote, a URL, or a word, if the URL before it ends with a host, a
 * slash or an extension. Other commas and semicolons are part of it, as in `/a,b` and `;jsessionid=1`.
 */
export function urlOnLine(line: string): UrlOnLine {
  const text = line.trim();
  const alone = { url: text, before: '', behind: '' };
  if (ALONE.test(text)) return alone;
  const whole = refang(text).url;
  if (!END.test(whole) && !isTargetProblem(parseTarget(whole)) && trimmed(labelOf(text)) === '') return alone;
  const [mark = ''] = LIST_MARK.exec(text) ?? [];
  const label = labelOf(text.slice(mark.length));
  const [opening = ''] = /^["'<(]{0,2}/.exec(text.slice(mark.length + label.length)) ?? [];
  const start = mark.length + label.length + opening.length;
  const rest = text.slice(start);
  const end = rest.search(END);
  const url = end === -1 ? rest : rest.slice(0, end);
  const before = trimmed(text.slice(0, start));
  const behind = end === -1 ? '' : trimmed(rest.slice(end));
  const target = parseTarget(refang(url).url);
  // Of a line of a hosts file, the address is not meant.
  const isFound = !isTargetProblem(target) && (target.host.kind === 'name' || behind === '' || url.includes('//'));
  return isFound ? { url, before, behind } : alone;
}

const labelOf = (text: string): string => LABEL.exec(text)?.[0] ?? '';

/** Returns what is between columns without the separators around it. */
function trimmed(text: string): string {
  const start = text.search(/[^\s"'<(),;|]/);
  let end = text.length;
  while (end > start && /[\s"'<(,;|]/.test(text.charAt(end - 1))) end--;
  return start === -1 ? '' : text.slice(start, end);
}
