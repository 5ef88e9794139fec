import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import { requestIdBytes, requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { openSpool } from './spool.ts';

/** An answered check that its database refused. */
export interface SetAsideCheck {
  readonly request_id: string;
  readonly log: Visibility;
  /** Start of the check, ISO 8601. */
  readonly timestamp: string;
  /** SQLSTATE of the refusal; null if an older version did not record it. */
  readonly state: string | null;
}

/** Contents of a node's spools. */
export interface SpoolContents {
  readonly waiting: Readonly<Record<Visibility, number>>;
  readonly set_aside: readonly SetAsideCheck[];
}

interface Row {
  readonly request_id: Uint8Array;
  readonly aside_state: string | null;
}

/** Lists the contents of a data directory's spools, even while a service runs. Throws StoreError. */
export function listSpools(dataDir: string): SpoolContents {
  const waiting = { public: 0, private: 0 };
  const setAside: SetAsideCheck[] = [];
  for (const log of VISIBILITIES) {
    onSpool(dataDir, log, (database) => {
      const count = database.query<{ checks: number }, []>(
        'select sum(checks) as checks from (select count(*) as checks from waiting where is_aside = 0 union all select count(*) from waiting_messages where is_aside = 0)',
      );
      waiting[log] = count.get()?.checks ?? 0;
      const rows = database.query<Row, []>(
        `select request_id, aside_state from (select * from (select request_id, aside_state from waiting where is_aside = 1 order by place)
        union all select * from (select request_id, aside_state from waiting_messages where is_aside = 1 order by place))`,
      );
      for (const { request_id: bytes, aside_state: state } of rows.all()) {
        const id = requestIdText(bytes);
        setAside.push({ request_id: id, log, timestamp: new Date(requestIdMs(id)).toISOString(), state });
      }
    });
  }
  return { waiting, set_aside: setAside };
}

/** Action on refused checks: `retry` sends them again, `drop` deletes them. */
export type SpoolAction = 'retry' | 'drop';

const TABLES = ['waiting', 'waiting_messages'] as const;

const STATEMENTS: Readonly<Record<SpoolAction, (table: (typeof TABLES)[number]) => string>> = {
  retry: (table) => `update ${table} set is_aside = 0, aside_state = null where is_aside = 1`,
  drop: (table) => `delete from ${table} where is_aside = 1`,
};

/**
 * Applies an action to the refused checks with these ids, or to all. Returns their number.
 *
 * @throws StoreError if a spool cannot be used
 */
export function changeSpools(dataDir: string, action: SpoolAction, ids: readonly string[] | null): number {
  let changed = 0;
  for (const log of VISIBILITIES) {
    onSpool(dataDir, log, (database) => {
      for (const table of TABLES) {
        const statement = STATEMENTS[action](table);
        if (ids === null) changed += database.run(statement).changes;
        const one = database.query<never, [Uint8Array]>(`${statement} and request_id = ?`);
        for (const id of ids ?? []) changed += one.run(requestIdBytes(id)).changes;
      }
    });
  }
  return changed;
}

function onSpool(dataDir: string, log: Visibility, work: (database: Database) => void): void {
  const path = join(dataDir, `${log}.spool`);
  if (!existsSync(path)) return;
  // Adds columns that a spool of an older version lacks.
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
