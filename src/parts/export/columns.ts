import { isUnreadable } from '#src/checks/record/stored-result.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';

/** A column of a table of checks; a cell is null if the check has no value. */
export type ExportColumn = {
  readonly [Type in keyof CellTypes]: {
    readonly name: string;
    readonly type: Type;
    readonly cell: (entry: LogEntry) => CellTypes[Type] | null;
  };
}[keyof CellTypes];

interface CellTypes {
  text: string;
  number: number;
  /** ISO 8601, UTC. */
  moment: string;
  flag: boolean;
}

/** Columns of every table of checks. Programs read them by name and position, so new ones are appended. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  { name: 'timestamp', type: 'moment', cell: ({ result }) => result.timestamp },
  { name: 'url', type: 'text', cell: ({ result }) => result.url },
  { name: 'decision', type: 'text', cell: ({ result }) => result.decision },
  { name: 'malicious_probability', type: 'number', cell: ({ result }) => result.malicious_probability },
  { name: 'request_id', type: 'text', cell: ({ result }) => result.request_id },
  { name: 'normalized_url', type: 'text', cell: (entry) => detailsOf(entry)?.normalized_url ?? null },
  { name: 'host', type: 'text', cell: (entry) => detailsOf(entry)?.host_parts.ascii ?? null },
  { name: 'top_reason', type: 'text', cell: (entry) => detailsOf(entry)?.reasons[0]?.code ?? null },
  { name: 'brand', type: 'text', cell: (entry) => detailsOf(entry)?.brand?.name ?? null },
  { name: 'final_url', type: 'text', cell: (entry) => detailsOf(entry)?.final_url ?? null },
  { name: 'status_code', type: 'number', cell: (entry) => detailsOf(entry)?.status_code ?? null },
  { name: 'model_version', type: 'text', cell: (entry) => detailsOf(entry)?.model_version ?? null },
  { name: 'delivered', type: 'flag', cell: ({ isDelivered }) => isDelivered },
  { name: 'unreadable', type: 'text', cell: ({ result }) => (isUnreadable(result) ? result.unreadable : null) },
  { name: 'coverage', type: 'text', cell: (entry) => detailsOf(entry)?.coverage ?? null },
  { name: 'caution', type: 'flag', cell: (entry) => detailsOf(entry)?.caution ?? null },
  { name: 'via', type: 'text', cell: (entry) => detailsOf(entry)?.via ?? null },
  { name: 'decided_by_list', type: 'text', cell: (entry) => detailsOf(entry)?.decided_by?.list ?? null },
  { name: 'decided_by_entry', type: 'text', cell: (entry) => detailsOf(entry)?.decided_by?.entry ?? null },
  { name: 'decided_by_source', type: 'text', cell: (entry) => detailsOf(entry)?.decided_by?.source ?? null },
];

function detailsOf({ result }: LogEntry) {
  return isUnreadable(result) ? null : result.analysis_details;
}
