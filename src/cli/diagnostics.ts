import { createLogger, type Logger, type LogLevel } from '#src/base/logger.ts';
import type { Invocation } from './command.ts';
import type { Io } from './io.ts';

/** What a command tells of itself on stderr: as mild as `log_level` says, and errors alone with `--quiet`. */
export function diagnosticsOf({ config, isQuiet }: Invocation<{ readonly log_level: LogLevel }>, io: Io): Logger {
  return createLogger(isQuiet ? 'error' : config.log_level, (line) => void io.stderr.write(line));
}
