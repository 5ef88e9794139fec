import { getTableColumns } from 'drizzle-orm';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS } from '#src/checks/record/decided-by.ts';
import { requestIdBytes, requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import { createCompletedBlocks } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import type { ClientHash } from './client-hash.ts';
import { forgetHours, prepareCounters } from './counters.ts';
import { type StoredCheck, storedCheckOf } from './stored-check.ts';

/** Inserts records in the caller's transaction. Returns the id of the first; ids increment. */
export type InsertChecks = (records: readonly CheckRecord[]) => number;

/** Inserts stored checks likewise. */
export type InsertStored = (checks: readonly CountedStoredCheck[]) => number;

/** A stored check, and if its answer arrived. */
export interface CountedStoredCheck extends StoredCheck {
  readonly isUndelivered: boolean;
}

const COLUMNS = Object.values(getTableColumns(checks)).map(({ name }) => name);

/** In the order of the schema. */
type CheckRow = [
  id: number,
  requestId: Uint8Array,
  decision: number,
  probability: number,
  answerTimeBucket: number,
  clientHash: Buffer | null,
  isUndelivered: number,
  host: string | null,
  url: string,
  activeSettingsId: number,
  record: Uint8Array,
  coverage: number | null,
  caution: number | null,
  decidingHost: string | null,
  via: number | null,
  reasons: Buffer | null,
  list: string | null,
  entry: string | null,
  listOwner: string | null,
];

/** Prepares the statements once, for the life of the file. */
export function prepareInsert(log: LogFile, hashClient: ClientHash): InsertChecks {
  const insert = prepareInsertStored(log);
  return (records) =>
    insert(
      records.map((record) => ({
        ...storedCheckOf(record, log.visibility, hashClient),
        isUndelivered: false,
      })),
    );
}

/** Inserts rows within one transaction, without counts and index. */
export type InsertRow = (stored: CountedStoredCheck, id: number) => void;

/** Prepares the insertion of rows; the result is called once per transaction, because what it adds may be rolled back. */
export function prepareInsertRows({ database }: Pick<LogFile, 'database'>): () => InsertRow {
  const settingsIds = prepareSettingsIds({ database });
  const insertCheck = database.prepare<never, CheckRow>(
    `insert into checks (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})`,
  );
  return () => {
    const settingsOf = settingsIds();
    return (stored, id) => {
      insertCheck.run(
        id,
        requestIdBytes(stored.requestId),
        DECISIONS.indexOf(stored.decision),
        stored.probability,
        stored.answerTimeBucket,
        stored.clientHash,
        Number(stored.isUndelivered),
        stored.host,
        stored.url,
        settingsOf(stored.settings),
        stored.record,
        stored.coverage && COVERAGES.indexOf(stored.coverage),
        stored.caution === null ? null : Number(stored.caution),
        stored.decidingHost,
        stored.via && VIAS.indexOf(stored.via),
        stored.reasons,
        stored.list,
        stored.entry,
        stored.listOwner,
      );
    };
  };
}

/** Prepares the insertion of checks that were stored elsewhere. */
export function prepareInsertStored(log: Pick<LogFile, 'database' | 'db' | 'visibility' | 'settledMs'>): InsertStored {
  const { database, visibility } = log;
  const counters = visibility === 'public' ? prepareCounters(log) : null;
  const insertRows = prepareInsertRows(log);
  const blocks = createCompletedBlocks(log);
  // Plain: run through Drizzle, each takes half as long again, and a start waits for Drizzle to write it.
  const checksNewestFirst = database.prepare<{ id: number; request_id: Uint8Array }, []>(
    'select id, request_id from checks order by id desc limit 1',
  );
  const deletedId = database.prepare<{ check_id: number }, []>('select check_id from last_deleted');

  return (added) => {
    // No one else adds checks within the caller's transaction, so incrementing is cheaper than asking for each id.
    const found = checksNewestFirst.get();
    const newest = found && { id: found.id, requestId: requestIdText(found.request_id) };
    const firstId = Math.max(newest?.id ?? 0, deletedId.get()?.check_id ?? 0) + 1;
    const insert = insertRows();
    for (const [i, stored] of added.entries()) insert(stored, firstId + i);
    if (counters) counters.add(added);
    else {
      const late = added.filter(({ requestId }) => requestIdMs(requestId) < log.settledMs);
      if (late.length > 0) forgetHours(log, late);
    }
    const indexed = added.map(({ requestId, decision, host, url }, i) => {
      return { id: firstId + i, requestId, decision: DECISIONS.indexOf(decision), host, url };
    });
    blocks.add(newest, indexed);
    return firstId;
  };
}

/** Returns the id of active settings, given as JSON. */
type SettingsIds = (settings: string) => number;

/**
 * Prepares the statements once, for the life of the file. What it gives has ids for the checks of one transaction: what
 * that adds may be rolled back with it.
 */
function prepareSettingsIds({ database }: Pick<LogFile, 'database'>): () => SettingsIds {
  const known = database.prepare<{ id: number }, [settings: string]>('select id from in_force where settings = ?');
  const added = database.prepare<never, [settings: string]>('insert into in_force (settings) values (?)');
  return () => {
    const ids = new Map<string, number>();
    return (settings) => {
      const id = ids.get(settings) ?? known.get(settings)?.id ?? Number(added.run(settings).lastInsertRowid);
      ids.set(settings, id);
      return id;
    };
  };
}
