import { visibleJson } from './text/untrusted-text.ts';

/** Log levels, the most verbose first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Readonly<Record<string, unknown>>;

/** Logs diagnostic events as one JSON object per line: `time`, `level`, `event`, then the fields. */
export type Logger = Readonly<Record<LogLevel, (event: string, fields?: LogFields) => void>>;

/** A logged event. */
export interface LogEvent {
  readonly atMs: number;
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
}

/** Creates a logger that passes events of at least the current level to `write`. */
export function createEventLogger(
  level: LogLevel | (() => LogLevel),
  write: (event: LogEvent) => void,
  now: () => number = Date.now,
): Logger {
  const threshold = () => LOG_LEVELS.indexOf(typeof level === 'function' ? level() : level);
  const at =
    (severity: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(severity) < threshold()) return;
      write({ atMs: now(), level: severity, event, fields });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Creates a logger that passes lines of at least the current level, newline included, to `write`. */
export function createLogger(
  level: LogLevel | (() => LogLevel),
  write: (line: string) => void,
  now: () => number = Date.now,
  membersOf: (logged: LogEvent) => LogFields = ownMembers,
): Logger {
  const writeEvent = (logged: LogEvent) => write(jsonLine(membersOf(logged)));
  return createEventLogger(level, writeEvent, now);
}

/** Returns the members of an event: `time`, `level`, `event`, then the fields. */
export function ownMembers({ atMs, level, event, fields }: LogEvent): LogFields {
  return { time: new Date(atMs).toISOString(), level, event, ...serializeErrors(fields) };
}

/** Creates a logger that logs to two others. */
export function teeLogger(one: Logger, other: Logger): Logger {
  const at = (level: LogLevel) => (event: string, fields?: LogFields) => {
    one[level](event, fields);
    other[level](event, fields);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Replaces errors, whose members JSON drops, by plain objects. */
function serializeErrors(fields: LogFields): LogFields {
  if (!hasError(fields)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
    ]),
  );
}

function hasError(fields: LogFields): boolean {
  for (const name in fields) if (fields[name] instanceof Error) return true;
  return false;
}

/**
 * Returns the stack frames of an error without its message, which may quote the URL of a private check. The message is
 * removed first, because a multi-line message could contain lines like frames. Empty if it is not an Error.
 */
export function stackFrames(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const frames = (error.stack ?? '').replace(error.message, () => '');
  return frames.split('\n').filter((line) => /^\s+at /.test(line));
}

/** Formats one line of JSON, newline included, with hidden characters escaped. */
export function jsonLine(value: unknown): string {
  return `${visibleJson(JSON.stringify(value))}\n`;
}
