import type { LogEntry } from '#src/store/scan-log.ts';

/** The formats in which checks leave the machine for other programs. */
export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Writes checks in one format, piece by piece as they are read; the pieces one after the other are the whole. */
export type WriteExport = (entries: AsyncIterable<LogEntry>) => AsyncIterable<string | Uint8Array>;

/** What writes a format; it is loaded for nobody else. */
const WRITERS: Readonly<Record<ExportFormat, () => Promise<WriteExport>>> = {
  csv: async () => (await import('./csv.ts')).writeCsv,
  ndjson: async () => (await import('./ndjson.ts')).writeNdjson,
};

/** What writes a format. */
export function exportWriter(format: ExportFormat): Promise<WriteExport> {
  return WRITERS[format]();
}
