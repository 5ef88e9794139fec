import type { LogEntry } from '#src/checks/store/scan-log.ts';
import type { Io } from '#src/core/base/io.ts';
import { shownResult } from '#src/service/export/ndjson.ts';
import { batchOutput } from '../batched-output.ts';
import { createFormatter, createSequence, type FormatStyle } from '../check/check-format.ts';

/** Writes entries of a log one after the other. */
export interface LogPrinter {
  write(entry: LogEntry): Promise<void>;
  flush(): Promise<void>;
  /** Writes what closes the whole. */
  end(): Promise<void>;
}

/** A printer to stdout. */
export function openLogPrinter(style: FormatStyle, io: Io): LogPrinter {
  const formatter = createFormatter(style);
  const sequence = createSequence(formatter);
  const output = batchOutput(io.stdout);
  return {
    async write(entry) {
      const { result, isDelivered } = entry;
      const note = isDelivered ? '' : '  not delivered';
      const heading = style.format === 'text' ? `${result.timestamp}  ${result.request_id}${note}\n` : '';
      await output.write(sequence.next(heading + formatter.write({ result: shownResult(entry) })));
    },
    flush: output.flush,
    async end() {
      await output.write(sequence.end());
      await output.flush();
    },
  };
}
