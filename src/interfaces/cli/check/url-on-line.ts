import { refang } from '#src/core/url/defang.ts';
import { columnEnd } from '#src/core/url/read-url.ts';
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

/** Finds the URL of a line, and what else is on it. A URL ends at white space, and as {@link columnEnd} has it. */
export function urlOnLine(line: string): UrlOnLine {
  const text = line.trim();
  const alone = { url: text, before: '', behind: '' };
  if (ALONE.test(text)) return alone;
  const whole = refang(text).url;
  if (endOf(whole) === whole.length && !isTargetProblem(parseTarget(whole)) && trimmed(labelOf(text)) === '')
    return alone;
  const [mark = ''] = LIST_MARK.exec(text) ?? [];
  const label = labelOf(text.slice(mark.length));
  const [opening = ''] = /^["'<(]{0,2}/.exec(text.slice(mark.length + label.length)) ?? [];
  const start = mark.length + label.length + opening.length;
  const rest = text.slice(start);
  const end = endOf(rest);
  const url = rest.slice(0, end);
  const before = trimmed(text.slice(0, start));
  const behind = trimmed(rest.slice(end));
  const target = parseTarget(refang(url).url);
  // Of a line of a hosts file, the address is not meant.
  const isFound = !isTargetProblem(target) && (target.host.kind === 'name' || behind === '' || url.includes('//'));
  return isFound ? { url, before, behind } : alone;
}

function endOf(text: string): number {
  const space = text.search(/\s/);
  return Math.min(space === -1 ? text.length : space, columnEnd(text));
}

const labelOf = (text: string): string => LABEL.exec(text)?.[0] ?? '';

/** Returns what is between columns without the separators around it. */
function trimmed(text: string): string {
  const start = text.search(/[^\s"'<(),;|]/);
  let end = text.length;
  while (end > start && /[\s"'<(,;|]/.test(text.charAt(end - 1))) end--;
  return start === -1 ? '' : text.slice(start, end);
}
