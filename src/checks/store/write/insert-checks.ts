import { desc, eq, sql } from 'drizzle-orm';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { requestIdBytes, requestIdText } from '#src/core/base/request-id.ts';
import { createCompletedBlocks } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { activeSettings, checks, lastDeleted } from '../file/schema.ts';
import type { ClientHash } from './client-hash.ts';
import { prepareCounters } from './counters.ts';
import { type StoredCheck, storedCheckOf } from './stored-check.ts';

/** Inserts records in the caller's transaction. Returns the id of the first; ids increment. */
export type InsertChecks = (records: readonly CheckRecord[]) => number;

/** Inserts stored checks likewise. */
export type InsertStored = (checks: readonly CountedStoredCheck[]) => number;

/** A stored check, and if its answer arrived. */
export interface CountedStoredCheck extends StoredCheck {
  readonly isUndelivered: boolean;
}

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

/** Prepares the insertion of checks that were stored elsewhere. */
export function prepareInsertStored(log: Pick<LogFile, 'database' | 'db' | 'visibility'>): InsertStored {
  const { database, db, visibility } = log;
  const counters = visibility === 'public' ? prepareCounters(log) : null;
  const settingsIds = prepareSettingsIds(log);
  const blocks = createCompletedBlocks(log);
  // The statements come from Drizzle, columns in schema order. Running them through it would cost half as much again
  // as SQLite itself, and it makes a limit a parameter, for which SQLite plans the statement again each time.
  const checksNewestFirst = database.prepare<{ id: number; request_id: Uint8Array }, []>(
    db.select({ id: checks.id, requestId: checks.requestId }).from(checks).orderBy(desc(checks.id)).toSQL().sql,
  );
  const deletedId = database.prepare<{ check_id: number }, []>(
    db.select({ id: lastDeleted.checkId }).from(lastDeleted).toSQL().sql,
  );
  const insertCheck = database.prepare<never, CheckRow>(
    db
      .insert(checks)
      .values({
        id: sql.placeholder('id'),
        requestId: sql.placeholder('requestId'),
        decision: sql.placeholder('decision'),
        probability: sql.placeholder('probability'),
        answerTimeBucket: sql.placeholder('answerTimeBucket'),
        clientHash: sql.placeholder('clientHash'),
        isUndelivered: sql.placeholder('isUndelivered'),
        host: sql.placeholder('host'),
        url: sql.placeholder('url'),
        activeSettingsId: sql.placeholder('activeSettingsId'),
        record: sql.placeholder('record'),
        coverage: sql.placeholder('coverage'),
        caution: sql.placeholder('caution'),
        decidingHost: sql.placeholder('decidingHost'),
      })
      .toSQL().sql,
  );

  function insert(stored: CountedStoredCheck, id: number, settingsOf: SettingsIds): void {
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
    );
  }

  return (added) => {
    // No one else adds checks within the caller's transaction, so incrementing is cheaper than asking for each id.
    const found = checksNewestFirst.get();
    const newest = found && { id: found.id, requestId: requestIdText(found.request_id) };
    const firstId = Math.max(newest?.id ?? 0, deletedId.get()?.check_id ?? 0) + 1;
    const settingsOf = settingsIds();
    for (const [i, stored] of added.entries()) insert(stored, firstId + i, settingsOf);
    counters?.add(added);
    const indexed = added.map(({ requestId, decision, host, url }, i) => {
      return { id: firstId + i, requestId, decision: DECISIONS.indexOf(decision), host, url };
    });
    blocks.add(newest, indexed);
    return firstId;
  };
}

/** Returns the id of active settings, given as JSON. */
export type SettingsIds = (settings: string) => number;

/**
 * Prepares the statements once, for the life of the file. What it gives has ids for the checks of one transaction: what
 * that adds may be rolled back with it.
 */
function prepareSettingsIds({ database, db }: Pick<LogFile, 'database' | 'db'>): () => SettingsIds {
  const placeholder = sql.placeholder('settings');
  const known = database.prepare<{ id: number }, [settings: string]>(
    db.select({ id: activeSettings.id }).from(activeSettings).where(eq(activeSettings.settings, placeholder)).toSQL()
      .sql,
  );
  const added = db
    .insert(activeSettings)
    .values({ settings: placeholder })
    .returning({ id: activeSettings.id })
    .prepare();
  return () => {
    const ids = new Map<string, number>();
    return (settings) => {
      const id = ids.get(settings) ?? known.get(settings)?.id ?? added.get({ settings }).id;
      ids.set(settings, id);
      return id;
    };
  };
}
