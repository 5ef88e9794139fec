import type { WriteExport } from './export-subject.ts';

/** The formats in which checks leave the machine for other programs. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'stix', 'misp', 'parquet'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Writers, loaded on demand. */
const WRITERS: Readonly<Record<ExportFormat, () => Promise<WriteExport>>> = {
  csv: async () => (await import('./csv.ts')).writeCsv,
  ndjson: async () => (await import('./ndjson.ts')).writeNdjson,
  stix: async () => (await import('./stix.ts')).writeStix,
  misp: async () => (await import('./misp.ts')).writeMisp,
  parquet: async () => (await import('./parquet.ts')).writeParquet,
};

/** Returns the writer of a format. */
export function exportWriter(format: ExportFormat): Promise<WriteExport> {
  return WRITERS[format]();
}
