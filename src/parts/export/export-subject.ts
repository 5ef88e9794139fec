import type { LogEntry } from '#src/checks/store/scan-log.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** Subject of an export. */
export interface ExportSubject {
  readonly visibility: Visibility;
  /** Host name of the exporting node. */
  readonly source: string;
  /** Description of the selection; exports with equal descriptions are versions of the same export. */
  readonly selection: string;
}

/** Writes checks, newest first, in one format, piece by piece as they are read; the pieces one after the other are the whole. */
export type WriteExport = (
  entries: AsyncIterable<LogEntry>,
  subject: ExportSubject,
) => AsyncIterable<string | Uint8Array>;
