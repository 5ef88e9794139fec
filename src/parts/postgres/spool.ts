import { Database } from 'bun:sqlite';
import { closeSync, existsSync, openSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS } from '#src/checks/record/decided-by.ts';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import { freeDiskBytes } from '#src/checks/store/file/file-system.ts';
import { isStoredMessage, type StoredMessage, type StoredRecord } from '#src/checks/store/messages/stored-message.ts';
import type { StoredCheck } from '#src/checks/store/write/stored-check.ts';
import { requestIdBytes, requestIdText } from '#src/core/base/request-id.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';

/** Checks of URLs and messages on this node that wait for their database. */
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
  put(checks: readonly StoredRecord[]): void;
  /** Returns the oldest checks, and messages once no other waits. */
  oldest(limit: number): readonly Waiting[];
  /** Removes delivered checks. */
  remove(arrived: readonly Waiting[]): void;
  /** Marks a check that the database refused, so that others can pass. */
  setAside(one: Waiting, state: string | null): void;
}

/** A check with its position in the spool. */
interface WaitingCheck extends StoredCheck {
  readonly place: number;
}

/** A check of a URL or of a message with its position. */
export type Waiting = WaitingCheck | WaitingMessage;

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
  const messages = prepareSpooledMessages(database);
  const count = database.query<{ waiting: number; aside: number }, []>(
    `select count(*) filter (where is_aside = 0) as waiting, count(*) filter (where is_aside = 1) as aside
    from (select is_aside from waiting union all select is_aside from waiting_messages)`,
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

  const putAll = database.transaction((checks: readonly StoredRecord[]) => {
    let added = 0;
    for (const one of checks) {
      if (isStoredMessage(one)) {
        added += messages.put(one);
        continue;
      }
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
    for (const one of arrived) {
      if (isStoredMessage(one)) messages.drop(one.place);
      else drop.run(one.place);
    }
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
    oldest(limit) {
      const checks = oldest.all(limit).map(checkOf);
      return checks.length > 0 ? checks : messages.oldest(limit);
    },
    remove(arrived) {
      dropAll.immediate(arrived);
      counts.waiting -= arrived.length;
      // The write-ahead log must keep no trace of a check either.
      if (counts.waiting === 0) database.query('pragma wal_checkpoint(truncate)').all();
    },
    setAside(one, state) {
      if (isStoredMessage(one)) messages.leave(one.place, state);
      else leave.run(state, one.place);
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

function checkOf(row: Row): WaitingCheck {
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

/** A message with its position among those of a spool. */
interface WaitingMessage extends StoredMessage {
  readonly place: number;
}

/**
 * A table of its own, which a program before it leaves alone: to that program a message would be a check.
 */
const MESSAGES_SCHEMA = `create table if not exists waiting_messages (
  place integer primary key, is_aside integer not null default 0, request_id blob not null unique, message text not null,
  aside_state text
) strict`;

const MessageSchema = Type.Object({
  requestId: Type.String(),
  decision: stringEnum(DECISIONS, {}),
  probability: Type.Number(),
  via: stringEnum(VIAS, {}),
  caution: Type.Boolean(),
  isWhole: Type.Boolean(),
  linkCount: Type.Number(),
  unchecked: Type.Number(),
  unread: Type.Number(),
  reasons: Type.String(),
  links: Type.Array(Type.String()),
  clientHash: Type.Union([Type.String(), Type.Null()]),
  settings: Type.String(),
});

/** Prepares the messages of a spool; creates their table if it is missing. */
function prepareSpooledMessages(database: Database) {
  database.run(MESSAGES_SCHEMA);
  const insert = database.query<never, [Buffer, string]>(
    'insert or ignore into waiting_messages (request_id, message) values (?, ?)',
  );
  const oldest = database.query<{ place: number; message: string }, [number]>(
    'select place, message from waiting_messages where is_aside = 0 order by place limit ?',
  );
  const drop = database.query<never, [number]>('delete from waiting_messages where place = ?');
  const leave = database.query<never, [string | null, number]>(
    'update waiting_messages set is_aside = 1, aside_state = ? where place = ?',
  );
  return {
    /** Returns 1; 0 for a waiting message, which is stored once. */
    put(message: StoredMessage): number {
      const { reasons, clientHash, ...plain } = message;
      const hidden = { reasons: reasons.toString('base64'), clientHash: clientHash?.toString('base64') ?? null };
      return insert.run(requestIdBytes(message.requestId), JSON.stringify({ ...plain, ...hidden })).changes;
    },
    oldest: (limit: number): WaitingMessage[] => oldest.all(limit).map(messageOf),
    drop: (place: number) => void drop.run(place),
    leave: (place: number, state: string | null) => void leave.run(state, place),
  };
}

function messageOf({ place, message }: { readonly place: number; readonly message: string }): WaitingMessage {
  const shaped = readShape(MessageSchema, parseJson(message));
  if ('problem' in shaped) throw new Error(`a message of the spool cannot be read: ${shaped.problem}`);
  const { reasons, clientHash, ...plain } = shaped.value;
  return {
    ...plain,
    place,
    reasons: Buffer.from(reasons, 'base64'),
    clientHash: clientHash === null ? null : Buffer.from(clientHash, 'base64'),
  };
}
