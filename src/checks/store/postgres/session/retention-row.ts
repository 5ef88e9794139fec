import type { RetentionBounds } from '#src/checks/record/stats.ts';
import { StoreError } from '../../store-error.ts';
import type { DatabaseConnection } from './session.ts';

/** What the owner of a database sets, by the name of the setting for logs in files. */
export const RETENTION_COLUMNS = { retention_days: 'days', retention_bytes: 'bytes', retention_rows: 'rows' } as const;

/** The name of a bound. */
export type RetentionKey = keyof typeof RETENTION_COLUMNS;

interface Row {
  readonly days: number;
  readonly bytes: string;
  readonly rows: string;
}

/** Reads the bounds of a log; null sets none. */
export async function readRetention({ sql }: Pick<DatabaseConnection<unknown>, 'sql'>): Promise<RetentionBounds> {
  const [row]: Row[] = await sql.unsafe('select days, bytes, rows from retention');
  if (!row) throw new StoreError('older_version', 'The database has no bounds. Run lurecheck database migrate.');
  return { days: row.days || null, bytes: Number(row.bytes) || null, rows: Number(row.rows) || null };
}

/** Sets bounds; 0 sets none. Only the owner of the database may. */
export async function setRetention(
  { sql }: Pick<DatabaseConnection<unknown>, 'sql'>,
  bounds: ReadonlyMap<RetentionKey, number>,
): Promise<void> {
  const keys = [...bounds.keys()];
  const changes = keys.map((key, at) => `${RETENTION_COLUMNS[key]} = $${at + 1}`).join(', ');
  await sql.unsafe(`update retention set ${changes}`, [...bounds.values()]);
}
