import { jsonLine } from './text/json-line.ts';

/** Severities, the most talkative first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one JSON object a line: `time`, `level`, `event`, then the fields. Diagnostics only; answers never go here. */
export type Logger = Readonly<Record<LogLevel, (event: string, fields?: LogFields) => void>>;

/** One event, as it is told. */
export interface LogEvent {
  readonly atMs: number;
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
}

/** A logger that drops what is below the level at that time and hands on the rest. */
export function createEventLogger(
  level: LogLevel | (() => LogLevel),
  tell: (event: LogEvent) => void,
  now: () => number = Date.now,
): Logger {
  const threshold = () => LOG_LEVELS.indexOf(typeof level === 'function' ? level() : level);
  const at =
    (severity: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(severity) < threshold()) return;
      tell({ atMs: now(), level: severity, event, fields });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A logger that drops what is below the level at that time and hands each finished line, newline included, to `write`. */
export function createLogger(
  level: LogLevel | (() => LogLevel),
  write: (line: string) => void,
  now: () => number = Date.now,
): Logger {
  const tell = ({ atMs, level: severity, event, fields }: LogEvent) =>
    write(jsonLine({ time: new Date(atMs).toISOString(), level: severity, event, ...plain(fields) }));
  return createEventLogger(level, tell, now);
}

/** A logger that tells two others. */
export function bothLoggers(one: Logger, other: Logger): Logger {
  const at = (level: LogLevel) => (event: string, fields?: LogFields) => {
    one[level](event, fields);
    other[level](event, fields);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** JSON drops the members of an `Error`: spell out the ones that a reader needs. */
function plain(fields: LogFields): LogFields {
  if (!Object.values(fields).some((value) => value instanceof Error)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
    ]),
  );
}
