import type { Output } from '#src/core/base/io.ts';
import { createLogger, type Logger, type LogLevel } from '#src/core/base/logger.ts';
import type { Invocation } from './command.ts';

/** What a command tells of itself: as mild as `log_level` says at that time, and errors alone with `--quiet`. */
export function diagnosticsOf(
  { config, isQuiet }: Invocation<{ readonly log_level: LogLevel }>,
  { write }: Pick<Output, 'write'>,
  level: () => LogLevel = () => config.log_level,
): Logger {
  return createLogger(isQuiet ? 'error' : level, (line) => void write(line));
}
