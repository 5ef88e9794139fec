import { cutShort } from '#src/base/cut-short.ts';
import { visibleInTerminal } from '#src/base/foreign-text.ts';
import type { LogEvent, LogLevel } from '#src/base/logger.ts';

/** Who tells: the same in every message. */
export interface SyslogOrigin {
  readonly hostname: string;
  readonly processId: number;
}

/** System daemons (RFC 5424, 6.2.1). */
const FACILITY = 3;

const SEVERITIES: Readonly<Record<LogLevel, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

/** The enterprise number that is set aside for examples (RFC 5612), and so nobody else's. */
const DATA_ID = 'lurecheck@32473';

/** In characters. */
const MAX_VALUE_LENGTH = 1024;
const MAX_TEXT_LENGTH = 512;

/** What all values may have, so that a message stays within the 8 KiB that servers are set to take. */
const MAX_DATA_BYTES = 6 * 1024;

/** What the text of a message repeats of its values, for who reads only that. */
const TOLD_IN_TEXT = ['message', 'problem', 'decision', 'url'];

/**
 * An event as RFC 5424 writes it, in UTF-8: every value that is known in the structured data, and a line for people behind it.
 * Whatever a stranger wrote, no value ends before its quote, and nothing is hidden in it.
 */
export function syslogMessage(told: LogEvent, origin: SyslogOrigin): Uint8Array {
  const { atMs, level, event } = told;
  const { text, data } = contentOf(told);
  const header = [
    `<${priorityOf(level)}>1`,
    new Date(atMs).toISOString(),
    printable(origin.hostname, 255),
    'lurecheck',
    origin.processId,
    printable(event, 32),
  ].join(' ');
  // With a byte order mark the text is UTF-8 (6.4).
  return new TextEncoder().encode(`${header} ${data} \ufeff${text}`);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The same as the log daemon of a machine takes it at a socket of that: as syslog(3) of the C library writes it, which is not RFC
 * 5424, with the line for people first and the structured data behind it.
 */
export function localSyslogMessage(told: LogEvent, { processId }: SyslogOrigin): Uint8Array {
  const { text, data } = contentOf(told);
  const at = new Date(told.atMs);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
  const day = `${MONTHS[at.getMonth()]} ${String(at.getDate()).padStart(2)}`;
  return new TextEncoder().encode(`<${priorityOf(told.level)}>${day} ${time} lurecheck[${processId}]: ${text} ${data}`);
}

const priorityOf = (level: LogLevel) => FACILITY * 8 + SEVERITIES[level];

/** A line for people, and every value as structured data (RFC 5424, 6.3). */
function contentOf({ event, fields }: LogEvent): { readonly text: string; readonly data: string } {
  const values = Object.entries(fields).flatMap(([name, value]) => flat(name, value));
  const known = new Map(values);
  const text = [visibleInTerminal(event), ...TOLD_IN_TEXT.flatMap((name) => known.get(name) ?? [])].join(' ');
  return { text: cutShort(text, MAX_TEXT_LENGTH), data: `[${DATA_ID}${dataOf(values)}]` };
}

/** The values; those for which there is no room are left out, and that is told. */
function dataOf(values: readonly (readonly [name: string, value: string])[]): string {
  let data = '';
  let left = MAX_DATA_BYTES;
  for (const [name, value] of values) {
    const param = ` ${name}="${value.replace(/["\\\]]/g, '\\$&')}"`;
    left -= Buffer.byteLength(param);
    if (left < 0) return `${data} truncated="true"`;
    data += param;
  }
  return data;
}

/** A value by its name; the members of one that has some by theirs behind a dot. What is null is not known. */
function flat(name: string, value: unknown): [name: string, value: string][] {
  if (value === null || value === undefined) return [];
  if (value instanceof Error) return flat(name, { name: value.name, message: value.message });
  if (typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([member, inner]) => flat(`${name}.${member}`, inner));
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [[paramName(name), cutShort(visibleInTerminal(text), MAX_VALUE_LENGTH)]];
}

function paramName(name: string): string {
  return printable(name.replace(/[="\]]/g, '_'), 32);
}

/** Printable ASCII without a space, and never nothing (RFC 5424, 6). */
function printable(text: string, maxLength: number): string {
  return text.replace(/[^!-~]/g, '_').slice(0, maxLength) || '-';
}
