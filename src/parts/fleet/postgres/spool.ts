import { Database } from 'bun:sqlite';
import { closeSync, existsSync, openSync } from 'node:fs';
import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS } from '#src/checks/record/decided-by.ts';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import { freeDiskBytes } from '#src/checks/store/file/file-system.ts';
import type { StoredCheck } from '#src/checks/store/write/stored-check.ts';
import { requestIdBytes, requestIdText } from '#src/core/base/request-id.ts';

/** Checks on this node that wait for their database. */
export interface Spool extends Disposable {
  /** Returns the number of waiting checks. */
  waiting(): number;
  /** Returns the number of checks that the database refused; they stay until the operator retries or drops them. */
  setAsideCount(): number;
  /** Picks up changes by other processes. */
  refresh(): void;
  /** Returns true if there is space for more, and for deleting the waiting ones later. */
  hasRoom(): boolean;
  /** Stores checks durably; a waiting check is stored once. */
  put(checks: readonly StoredCheck[]): void;
  /** Returns the oldest checks. */
  oldest(limit: number): readonly Waiting[];
  /** Removes delivered checks. */
  remove(arrived: readonly Waiting[]): void;
  /** Marks a check that the database refused, so that others can pass. */
  setAside(one: Waiting, state: string | null): void;
}

/** A check with its position in the spool. */
export interface Waiting extends StoredCheck {
  readonly place: number;
}

/** Disk space for the deletes and the checkpoint once checks are delivered. */
const RESERVE_BYTES = 8 * 1024 * 1024;

const SCHEMA = `create table if not exists waiting (
  place integer primary key, is_aside integer not null default 0, request_id blob not null unique, decision integer not null,
  probability real not null, answer_time_bucket integer not null, client_hash blob, host text, url text not null,
  settings text not null, record blob not null, coverage integer, caution integer, deciding_host text, via integer,
  reasons blob, list text, entry text, list_owner text
) strict`;

/** Columns that a spool of an older version lacks; they stay null for its checks. */
const LATER_COLUMNS = {
  ...{ coverage: 'integer', caution: 'integer', aside_state: 'text', deciding_host: 'text', via: 'integer' },
  ...{ reasons: 'blob', list: 'text', entry: 'text', list_owner: 'text' },
} as const;

/** Columns of a check, in the order in which they are bound. */
const STORED = [
  ...[
    'request_id',
    'decision',
    'probability',
    'answer_time_bucket',
    'client_hash',
    'host',
    'url',
    'settings',
    'record',
  ],
  ...['coverage', 'caution', 'deciding_host', 'via', 'reasons', 'list', 'entry', 'list_owner'],
];

interface Row {
  readonly place: number;
  readonly request_id: Uint8Array;
  readonly decision: number;
  readonly probability: number;
  readonly answer_time_bucket: number;
  readonly client_hash: Uint8Array | null;
  readonly host: string | null;
  readonly url: string;
  readonly settings: string;
  readonly record: Uint8Array;
  readonly coverage: number | null;
  readonly caution: number | null;
  readonly deciding_host: string | null;
  readonly via: number | null;
  readonly reasons: Uint8Array | null;
  readonly list: string | null;
  readonly entry: string | null;
  readonly list_owner: string | null;
}

/**
 * Opens the spool at a path; creates it if missing. Delivered checks are overwritten.
 *
 * @throws StoreError with the code of its fault
 */
export function openSpool(path: string): Spool {
  try {
    return openNow(path);
  } catch (error) {
    throw asStoreError(path, error);
  }
}

function openNow(path: string): Spool {
  // SQLite keeps the mode of an existing file for its side files.
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  const database = new Database(path, { readwrite: true, create: false, strict: true });
  for (const pragma of ['journal_mode = wal', 'synchronous = full', 'busy_timeout = 5000', 'secure_delete = on']) {
    database.query(`pragma ${pragma}`).all();
  }
  database.run(SCHEMA);
  addColumns(database);
  const count = database.query<{ waiting: number; aside: number }, []>(
    'select count(*) filter (where is_aside = 0) as waiting, count(*) filter (where is_aside = 1) as aside from waiting',
  );
  const version = database.query<{ data_version: number }, []>('pragma data_version');
  const insert = database.query(
    `insert or ignore into waiting (${STORED.join(', ')}) values (${STORED.map(() => '?').join(', ')})`,
  );
  const oldest = database.query<Row, [number]>('select * from waiting where is_aside = 0 order by place limit ?');
  const drop = database.query<never, [number]>('delete from waiting where place = ?');
  const leave = database.query<never, [string | null, number]>(
    'update waiting set is_aside = 1, aside_state = ? where place = ?',
  );
  let counts = count.get() ?? { waiting: 0, aside: 0 };
  let seenVersion = version.get()?.data_version;

  const putAll = database.transaction((checks: readonly StoredCheck[]) => {
    let added = 0;
    for (const one of checks) {
      const { requestId, decision, probability, answerTimeBucket, clientHash, host, url, settings, record } = one;
      const place = DECISIONS.indexOf(decision);
      const id = requestIdBytes(requestId);
      const stored = [id, place, probability, answerTimeBucket, clientHash, host, url, settings, record];
      const coverage = one.coverage && COVERAGES.indexOf(one.coverage);
      const caution = one.caution === null ? null : Number(one.caution);
      const decided = [one.via && VIAS.indexOf(one.via), one.reasons, one.list, one.entry, one.listOwner];
      added += insert.run(...stored, coverage, caution, one.decidingHost, ...decided).changes;
    }
    return added;
  });
  const dropAll = database.transaction((arrived: readonly Waiting[]) => {
    for (const { place } of arrived) drop.run(place);
  });

  return {
    waiting: () => counts.waiting,
    setAsideCount: () => counts.aside,
    refresh() {
      const now = version.get()?.data_version;
      if (now === seenVersion) return;
      seenVersion = now;
      counts = count.get() ?? counts;
    },
    hasRoom: () => freeDiskBytes(path) >= RESERVE_BYTES,
    put(checks) {
      counts.waiting += putAll.immediate(checks);
    },
    oldest: (limit) => oldest.all(limit).map(checkOf),
    remove(arrived) {
      dropAll.immediate(arrived);
      counts.waiting -= arrived.length;
      // The write-ahead log must keep no trace of a check either.
      if (counts.waiting === 0) database.query('pragma wal_checkpoint(truncate)').all();
    },
    setAside({ place }, state) {
      leave.run(state, place);
      counts.waiting--;
      counts.aside++;
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function addColumns(database: Database): void {
  const columns = database.query<{ name: string }, []>('pragma table_info(waiting)').all();
  for (const [name, type] of Object.entries(LATER_COLUMNS)) {
    if (!columns.some((column) => column.name === name)) database.run(`alter table waiting add ${name} ${type}`);
  }
}

function checkOf(row: Row): Waiting {
  return {
    place: row.place,
    requestId: requestIdText(row.request_id),
    decision: DECISIONS[row.decision] ?? 'warn',
    probability: row.probability,
    answerTimeBucket: row.answer_time_bucket,
    clientHash: row.client_hash === null ? null : Buffer.from(row.client_hash),
    host: row.host,
    url: row.url,
    settings: row.settings,
    record: row.record,
    coverage: row.coverage === null ? null : (COVERAGES[row.coverage] ?? null),
    caution: row.caution === null ? null : row.caution === 1,
    decidingHost: row.deciding_host,
    via: row.via === null ? null : (VIAS[row.via] ?? null),
    reasons: row.reasons && Buffer.from(row.reasons),
    list: row.list,
    entry: row.entry,
    listOwner: row.list_owner,
  };
}
