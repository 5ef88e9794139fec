import type { Output } from '#src/core/base/io.ts';
import { type LogFormat, membersIn } from '#src/core/base/log/log-format.ts';
import { createLogger, type Logger, type LogLevel } from '#src/core/base/logger.ts';
import type { Invocation } from './command.ts';

/** Returns the logger of a command for stderr: at the active `log_level`, or only errors with `--quiet`. */
export function diagnosticsOf(
  {
    config,
    isQuiet,
  }: Pick<Invocation<{ readonly log_level: LogLevel; readonly log_format: LogFormat }>, 'config' | 'isQuiet'>,
  { write }: Pick<Output, 'write'>,
  level: () => LogLevel = () => config.log_level,
  format: () => LogFormat = () => config.log_format,
): Logger {
  return createLogger(
    isQuiet ? 'error' : level,
    (line) => void write(line),
    Date.now,
    (logged) => membersIn(format(), logged),
  );
}
