import { desc, eq, sql } from 'drizzle-orm';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { requestIdBytes, requestIdMs } from '#src/core/base/request-id.ts';
import { countedHost } from '../domains/host-suffixes.ts';
import { createCompletedBlocks } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { activeSettings, checks, lastDeleted } from '../file/schema.ts';
import type { ClientHash } from './client-hash.ts';
import { type CountedCheck, prepareCounters } from './counters.ts';
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
  const newestCheck = db
    .select({ id: checks.id, requestId: checks.requestId })
    .from(checks)
    .orderBy(desc(checks.id))
    .limit(1)
    .prepare();
  const deletedId = db.select({ id: lastDeleted.checkId }).from(lastDeleted).prepare();
  // The statement comes from Drizzle, columns in schema order. Binding each row through it would cost half as much
  // again as SQLite itself.
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

  function insert(stored: CountedStoredCheck, id: number, settingsOf: SettingsIds): CountedCheck {
    const { requestId, decision, probability, answerTimeBucket } = stored;
    insertCheck.run(
      id,
      requestIdBytes(requestId),
      DECISIONS.indexOf(decision),
      probability,
      answerTimeBucket,
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
    return { checkedAtMs: requestIdMs(requestId), decision, probability, answerTimeBucket, host: countedHost(stored) };
  }

  return (added) => {
    // No one else adds checks within the caller's transaction, so incrementing is cheaper than asking for each id.
    const newest = newestCheck.get() ?? null;
    const firstId = Math.max(newest?.id ?? 0, deletedId.get()?.id ?? 0) + 1;
    const settingsOf = settingsIds();
    const inserted = added.map((stored, i) => insert(stored, firstId + i, settingsOf));
    counters?.add(inserted);
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
function prepareSettingsIds({ db }: Pick<LogFile, 'db'>): () => SettingsIds {
  const placeholder = sql.placeholder('settings');
  const known = db
    .select({ id: activeSettings.id })
    .from(activeSettings)
    .where(eq(activeSettings.settings, placeholder))
    .prepare();
  const added = db
    .insert(activeSettings)
    .values({ settings: placeholder })
    .returning({ id: activeSettings.id })
    .prepare();
  return () => {
    const ids = new Map<string, number>();
    return (settings) => {
      const id = ids.get(settings) ?? known.get({ settings })?.id ?? added.get({ settings }).id;
      ids.set(settings, id);
      return id;
    };
  };
}
