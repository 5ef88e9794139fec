import type { LogEvent, LogLevel } from '#src/core/base/logger.ts';
import { truncateText } from '#src/core/base/text/truncate-text.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';

/** Origin of messages. */
export interface SyslogOrigin {
  readonly hostname: string;
  readonly processId: number;
}

/** System daemons (RFC 5424, 6.2.1). */
const FACILITY = 3;

const SEVERITIES: Readonly<Record<LogLevel, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

/** In characters. */
const MAX_VALUE_LENGTH = 1024;

/** Room for all values, so that a message stays within the 8 KiB that servers accept by default. */
const MAX_DATA_BYTES = 6 * 1024;

/** Values that come first, for people who read the beginning of a line. */
const FIRST_VALUES = ['message', 'problem', 'decision', 'url', 'labels.lurecheck_decision', 'url.full'];

/** Longest name of a value, in characters. */
const MAX_NAME_LENGTH = 64;

/**
 * Writes an event as a message of RFC 5424, in UTF-8. The text is the name of the event and each known value as
 * `name="value"`, with `\` before `"` and `\`. There is no structured data: the name of its element would need an enterprise
 * number (6.3.2), and lurecheck has none. Untrusted text cannot end a value before its quote, or hide anything in it.
 */
export function syslogMessage(logged: LogEvent, origin: SyslogOrigin): Uint8Array {
  const header = [
    `<${priorityOf(logged.level)}>1`,
    new Date(logged.atMs).toISOString(),
    printable(origin.hostname, 255),
    'lurecheck',
    origin.processId,
    printable(logged.event, 32),
  ].join(' ');
  // With a byte order mark the text is UTF-8 (6.4).
  return new TextEncoder().encode(`${header} - \ufeff${textOf(logged)}`);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Writes the same for the log daemon of this host, as syslog(3) of the C library does, which is not RFC 5424. */
export function localSyslogMessage(logged: LogEvent, { processId }: SyslogOrigin): Uint8Array {
  const at = new Date(logged.atMs);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
  const day = `${MONTHS[at.getMonth()]} ${String(at.getDate()).padStart(2)}`;
  return new TextEncoder().encode(
    `<${priorityOf(logged.level)}>${day} ${time} lurecheck[${processId}]: ${textOf(logged)}`,
  );
}

const priorityOf = (level: LogLevel) => FACILITY * 8 + SEVERITIES[level];

/** The event and its values; those for which there is no room are left out, which `truncated` says. */
function textOf({ event, fields }: LogEvent): string {
  const values = Object.entries(fields).flatMap(([name, value]) => flat(name, value));
  const isFirst = ([name]: readonly [string, string]) => FIRST_VALUES.includes(name);
  const first = values.filter(isFirst).toSorted(([a], [b]) => FIRST_VALUES.indexOf(a) - FIRST_VALUES.indexOf(b));
  let text = printable(event, 32);
  let left = MAX_DATA_BYTES;
  for (const [name, value] of [...first, ...values.filter((one) => !isFirst(one))]) {
    const pair = ` ${name}="${value.replace(/["\\]/g, '\\$&')}"`;
    left -= Buffer.byteLength(pair);
    if (left < 0) return `${text} truncated="true"`;
    text += pair;
  }
  return text;
}

/** Flattens a value to names with dots; null values are left out. */
function flat(name: string, value: unknown): [name: string, value: string][] {
  if (value === null || value === undefined) return [];
  if (value instanceof Error) return flat(name, { name: value.name, message: value.message });
  if (typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([member, inner]) => flat(`${name}.${member}`, inner));
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [[nameOf(name), truncateText(visibleInTerminal(text), MAX_VALUE_LENGTH)]];
}

function nameOf(name: string): string {
  return printable(name.replace(/[="\]]/g, '_'), MAX_NAME_LENGTH);
}

/** Printable ASCII without a space, and never nothing (RFC 5424, 6). */
function printable(text: string, maxLength: number): string {
  return text.replace(/[^!-~]/g, '_').slice(0, maxLength) || '-';
}
