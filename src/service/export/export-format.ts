import type { WriteExport } from './export-subject.ts';

/** The formats in which checks leave the machine for other programs. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'stix', 'misp', 'parquet'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What writes a format; it is loaded for nobody else. */
const WRITERS: Readonly<Record<ExportFormat, () => Promise<WriteExport>>> = {
  csv: async () => (await import('./csv.ts')).writeCsv,
  ndjson: async () => (await import('./ndjson.ts')).writeNdjson,
  stix: async () => (await import('./stix.ts')).writeStix,
  misp: async () => (await import('./misp.ts')).writeMisp,
  parquet: async () => (await import('./parquet.ts')).writeParquet,
};

/** What writes a format. */
export function exportWriter(format: ExportFormat): Promise<WriteExport> {
  return WRITERS[format]();
}
