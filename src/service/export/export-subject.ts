import type { LogEntry } from '#src/checks/store/scan-log.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** Subject of an export. */
export interface ExportSubject {
  readonly visibility: Visibility;
  /** What the machine is called that exports. */
  readonly source: string;
  /** What was asked for, in any words: two exports with the same words are one and the same at two times. */
  readonly selection: string;
}

/** Writes checks, newest first, in one format, piece by piece as they are read; the pieces one after the other are the whole. */
export type WriteExport = (
  entries: AsyncIterable<LogEntry>,
  subject: ExportSubject,
) => AsyncIterable<string | Uint8Array>;
