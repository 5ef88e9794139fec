import type { Output } from '#src/core/base/io.ts';
import { type LogFormat, membersIn } from '#src/core/base/log-format.ts';
import { createLogger, type LogFields, type Logger, type LogLevel } from '#src/core/base/logger.ts';
import { batchOutput } from './batched-output.ts';
import type { Invocation } from './command.ts';
import { diagnosticsOf } from './diagnostics.ts';

/** What a service tells of itself, on one output: a JSON line an event, in the order in which they happened. */
export interface ServiceLog extends AsyncDisposable {
  /** As mild as `log_level` says at that time; written at once. */
  readonly logger: Logger;
  /** For the line of each check, whatever `log_level` says: it has a setting of its own. Gathered, since there are many. */
  readonly checkLog: Logger;
  /** Says that the service can be asked, at any level: whoever started it waits for that. */
  ready(fields: LogFields): Promise<void>;
}

/** The log of a service. Disposing of it writes what is left. */
export function openServiceLog(
  invocation: Invocation<{ readonly log_level: LogLevel; readonly log_format: LogFormat }>,
  stdout: Output,
  level: () => LogLevel,
  format: () => LogFormat,
): ServiceLog {
  const lines = batchOutput(stdout);
  const writeAtOnce = (line: string) => {
    void lines.write(line);
    return lines.flush();
  };
  return {
    logger: diagnosticsOf(invocation, { write: writeAtOnce }, level, format),
    checkLog: diagnosticsOf(invocation, lines, () => 'info', format),
    async ready(fields) {
      const logger = createLogger(
        'info',
        (line) => void lines.write(line),
        Date.now,
        (logged) => membersIn(format(), logged),
      );
      logger.info('server.listening', fields);
      await lines.flush();
    },
    [Symbol.asyncDispose]: lines.flush,
  };
}
