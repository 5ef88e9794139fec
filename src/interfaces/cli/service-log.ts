import type { Output } from '#src/core/base/io.ts';
import { createLogger, type LogFields, type Logger, type LogLevel } from '#src/core/base/logger.ts';
import { batchOutput } from './batched-output.ts';
import type { Invocation } from './command.ts';
import { diagnosticsOf } from './diagnostics.ts';

/** Events of a service on one output: one JSON line per event, in order. */
export interface ServiceLog extends AsyncDisposable {
  /** As mild as `log_level` says at that time; written at once. */
  readonly logger: Logger;
  /** For the line of each check, whatever `log_level` says: it has a setting of its own. Gathered, since there are many. */
  readonly checkLog: Logger;
  /** Logs that the service is ready, at any level: the caller of the service waits for it. */
  ready(fields: LogFields): Promise<void>;
}

/** The log of a service. Disposing of it writes what is left. */
export function openServiceLog(
  invocation: Invocation<{ readonly log_level: LogLevel }>,
  stdout: Output,
  level: () => LogLevel,
): ServiceLog {
  const lines = batchOutput(stdout);
  const writeAtOnce = (line: string) => {
    void lines.write(line);
    return lines.flush();
  };
  return {
    logger: diagnosticsOf(invocation, { write: writeAtOnce }, level),
    checkLog: diagnosticsOf(invocation, lines, () => 'info'),
    async ready(fields) {
      createLogger('info', (line) => void lines.write(line)).info('server.listening', fields);
      await lines.flush();
    },
    [Symbol.asyncDispose]: lines.flush,
  };
}
