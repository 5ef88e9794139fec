import { Type } from '@sinclair/typebox';
import { type Line, readLines } from '#src/core/base/files/line-reader.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { refang } from '#src/core/url/defang.ts';
import { columnEnd } from '#src/core/url/read-url.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Message } from '#src/engine/message/message.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';
import { openPlainPage, type RefusedFile, type SavedPage } from '#src/network/probes/saved-page.ts';
import type { FieldCode } from '#src/service/server/http/problem.ts';

/** A line of a list, taken apart. */
interface UrlOnLine {
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

/** Longest line of input, in bytes: room for a saved page in an object. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** Why a line cannot be checked. */
export interface InputProblem {
  readonly code: 'invalid_json' | FieldCode;
  readonly problem: string;
}

/** An input to check, or its problem. */
export interface CheckInput {
  /** The input as read. */
  readonly text: string;
  /** Line of standard input, from 1; for operands, their position. */
  readonly line: number;
  readonly target: Target | InputProblem;
  /** Null if the page is to be fetched. */
  readonly page: SavedPage | null;
  /** The link in a message; null for a separate URL. */
  readonly link: MessageLink | null;
  /** Says what else was on the line, and was left out; absent if nothing. */
  readonly note?: string;
  /** Parts of a message that were not read, if the input states these instead of a link. */
  readonly notRead?: readonly string[];
}

/** Formats of standard input's lines. */
export const INPUT_FORMATS = ['text', 'ndjson'] as const;

export type InputFormat = (typeof INPUT_FORMATS)[number];

const InputObject = Type.Object(
  {
    url: Type.String(),
    html: Type.Optional(Type.String()),
    status_code: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  },
  { additionalProperties: false },
);

/** URL of an object that is otherwise invalid. */
const NamedUrl = Type.Object({ url: Type.String() });

/** Enough of a line to find it again, in UTF-16 code units. */
const MAX_SHOWN = 200;

const beginning = (line: string): string => (line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line);

/** The URLs of the command line, with the one page that was saved of them. */
export function inputsOfOperands(operands: readonly string[], page: SavedPage | null): CheckInput[] {
  return operands.map((text, index) => readUrl(text, index + 1, page));
}

/**
 * Returns the links of a message, and problems for what was not read of it.
 *
 * @param notRead names of parts that were not read
 */
export function inputsOfMessage(
  { links, isWhole }: Pick<Message, 'links' | 'isWhole'>,
  notRead: readonly string[] = [],
): CheckInput[] {
  const inputs: CheckInput[] = links.map((link, index) => ({ ...readUrl(link.url, index + 1, null), link }));
  if (!isWhole) inputs.push(refused('', inputs.length + 1, 'invalid_body', UNREAD_REST));
  if (notRead.length > 0) {
    const problem = `not read, so links may be missing: ${notRead.join(', ')}`;
    inputs.push({ ...refused('', inputs.length + 1, 'invalid_body', problem), notRead });
  }
  return inputs;
}

const UNREAD_REST =
  'the message was not read completely: it takes too long or is nested too deeply; links may be missing';

/** Format of the lines, and what applies to all of them. */
export interface LineReading {
  readonly format: InputFormat;
  /** True if people read the output: a URL is then checked also if there is more on its line. */
  readonly isForPeople: boolean;
}

/** The URLs of standard input, a batch for each chunk that arrived; blank lines are skipped. */
export async function* inputsOfStream(
  stdin: AsyncIterable<Uint8Array>,
  reading: LineReading,
): AsyncGenerator<CheckInput[]> {
  for await (const lines of readLines(stdin, MAX_LINE_BYTES)) yield lines.flatMap((line) => inputOfLine(line, reading));
}

/** Returns the URL of a line, or why the line is not a URL; nothing for a blank line. */
export function inputOfLine({ text, number }: Line, { format, isForPeople }: LineReading): CheckInput[] {
  if (text === null) return [refused('', number, 'invalid_body', `is longer than ${MAX_LINE_BYTES} bytes`)];
  if (text.trim() === '') return [];
  return [format === 'ndjson' ? readObject(text, number) : readLine(text.trim(), number, isForPeople)];
}

function readLine(text: string, line: number, isForPeople: boolean): CheckInput {
  const { url, before, behind } = urlOnLine(text);
  if (before === '' && behind === '') return readUrl(url, line, null);
  const [place, other] = behind === '' ? ['in front of', before] : ['behind', behind];
  const more = `the URL has "${beginning(other)}" ${place} it`;
  if (!isForPeople) return refused(text, line, 'invalid_url', `${more}: expected one URL per line`);
  return { ...readUrl(url, line, null), note: `${more}; checking ${beginning(url)}` };
}

/** Returns the notes on inputs, as lines for stderr. */
export function describeNotes(inputs: readonly CheckInput[]): string {
  return inputs
    .flatMap(({ note, line }) => (note === undefined ? [] : `lurecheck: line ${line}: ${visibleInTerminal(note)}\n`))
    .join('');
}

function readObject(text: string, line: number): CheckInput {
  const json = parseJson(text);
  if (json === undefined)
    return refused(beginning(text), line, 'invalid_json', 'is not JSON: expected {"url": "…"}, one object per line');
  const shaped = readShape(InputObject, json);
  if ('problem' in shaped) {
    const named = readShape(NamedUrl, json);
    return refused('value' in named ? named.value.url : beginning(text), line, 'invalid_body', shaped.problem);
  }
  const { url, html, status_code } = shaped.value;
  const page = html === undefined ? null : savedText(html, status_code ?? 200);
  if (page !== null && 'problem' in page) return refused(url, line, 'invalid_body', `html ${page.problem}`);
  return readUrl(url, line, page);
}

function savedText(html: string, statusCode: number): SavedPage | RefusedFile {
  const text = new TextEncoder().encode(html);
  const page = openPlainPage(text);
  if ('problem' in page) return page;
  return { ...page, contentType: page.contentType ?? 'text/html; charset=utf-8', statusCode };
}

function readUrl(text: string, line: number, page: SavedPage | null): CheckInput {
  const target = parseTarget(refang(text).url);
  return isTargetProblem(target)
    ? refused(text, line, target.code, `the URL ${target.message}`)
    : { text, line, target: { ...target, input: text }, page, link: null };
}

function refused(text: string, line: number, code: InputProblem['code'], problem: string): CheckInput {
  return { text, line, target: { code, problem }, page: null, link: null };
}
