import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requestIdBytes, requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { asStoreError } from '../file/fault.ts';
import { openSpool } from './spool.ts';

/** An answered check that its database refused. */
export interface SetAsideCheck {
  readonly request_id: string;
  readonly log: Visibility;
  /** When it was checked. */
  readonly timestamp: string;
  /** The SQLSTATE with which the database refused it; null where an older version did not note that. */
  readonly state: string | null;
}

/** What the spools of a node hold. */
export interface SpoolContents {
  readonly waiting: Readonly<Record<Visibility, number>>;
  readonly set_aside: readonly SetAsideCheck[];
}

interface Row {
  readonly request_id: Uint8Array;
  readonly aside_state: string | null;
}

/** Lists what the spools of a data directory hold, also beside a running service. Throws StoreError. */
export function listSpools(dataDir: string): SpoolContents {
  const waiting = { public: 0, private: 0 };
  const setAside: SetAsideCheck[] = [];
  for (const log of VISIBILITIES) {
    onSpool(dataDir, log, (database) => {
      const count = database.query<{ checks: number }, []>('select count(*) as checks from waiting where is_aside = 0');
      waiting[log] = count.get()?.checks ?? 0;
      const rows = database.query<Row, []>(
        'select request_id, aside_state from waiting where is_aside = 1 order by place',
      );
      for (const { request_id: bytes, aside_state: state } of rows.all()) {
        const id = requestIdText(bytes);
        setAside.push({ request_id: id, log, timestamp: new Date(requestIdMs(id)).toISOString(), state });
      }
    });
  }
  return { waiting, set_aside: setAside };
}

/** What is to be done with checks that were set aside: the service sends them once more, or they are deleted. */
export type SpoolAction = 'retry' | 'drop';

const STATEMENTS: Readonly<Record<SpoolAction, string>> = {
  retry: 'update waiting set is_aside = 0, aside_state = null where is_aside = 1',
  drop: 'delete from waiting where is_aside = 1',
};

/**
 * Does that with the checks with these ids, or with all that were set aside. Returns the number of checks that were found.
 *
 * @throws StoreError where a spool cannot be used
 */
export function changeSpools(dataDir: string, action: SpoolAction, ids: readonly string[] | null): number {
  let changed = 0;
  for (const log of VISIBILITIES) {
    onSpool(dataDir, log, (database) => {
      if (ids === null) changed += database.run(STATEMENTS[action]).changes;
      const one = database.query<never, [Uint8Array]>(`${STATEMENTS[action]} and request_id = ?`);
      for (const id of ids ?? []) changed += one.run(requestIdBytes(id)).changes;
    });
  }
  return changed;
}

function onSpool(dataDir: string, log: Visibility, work: (database: Database) => void): void {
  const path = join(dataDir, `${log}.spool`);
  if (!existsSync(path)) return;
  // One of an older version gets its new columns first.
  openSpool(path)[Symbol.dispose]();
  try {
    using database = new Database(path, { readwrite: true, create: false, strict: true });
    for (const pragma of ['busy_timeout = 5000', 'synchronous = full', 'secure_delete = on'])
      database.query(`pragma ${pragma}`).all();
    work(database);
  } catch (error) {
    throw asStoreError(path, error);
  }
}
