import { max, sql } from 'drizzle-orm';
import { requestIdBytes, requestIdMs } from '#src/core/base/request-id.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { countedHost } from '../domains/host-suffixes.ts';
import { indexCompleted } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks, lastDeleted } from '../file/schema.ts';
import type { ClientHash } from './client-hash.ts';
import { type CountedCheck, prepareCounters } from './counters.ts';
import { type InForceIds, prepareInForceIds } from './in-force-ids.ts';
import { type KeptCheck, keptCheck } from './stored-check.ts';

/** Writes records into the log that they belong to, inside the transaction of the caller. The id of the first; they count on. */
export type InsertChecks = (records: readonly CheckRecord[]) => number;

/** Writes checks in the form in which they are kept, likewise. */
export type InsertKept = (checks: readonly CountedKeptCheck[]) => number;

/** A check as it is kept, and whether its answer arrived. */
export interface CountedKeptCheck extends KeptCheck {
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
  inForceId: number,
  record: Uint8Array,
  coverage: number | null,
  caution: number | null,
  decidingHost: string | null,
];

/** Prepares the statements once, for the life of the file. */
export function prepareInsert(log: LogFile, hashClient: ClientHash): InsertChecks {
  const insert = prepareInsertKept(log);
  return (records) =>
    insert(
      records.map((record) => ({
        ...keptCheck(record, log.visibility, hashClient),
        isUndelivered: false,
      })),
    );
}

/** Prepares the same for checks that were kept elsewhere. */
export function prepareInsertKept(log: Pick<LogFile, 'database' | 'db' | 'visibility'>): InsertKept {
  const { database, db, visibility } = log;
  const counters = visibility === 'public' ? prepareCounters(log) : null;
  const idsInForce = prepareInForceIds(log);
  const newestId = db
    .select({ id: max(checks.id) })
    .from(checks)
    .prepare();
  const deletedId = db.select({ id: lastDeleted.checkId }).from(lastDeleted).prepare();
  // Drizzle writes the statements, columns in the order of the schema. Binding each row through it would cost half as
  // much again as SQLite itself.
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
        inForceId: sql.placeholder('inForceId'),
        record: sql.placeholder('record'),
        coverage: sql.placeholder('coverage'),
        caution: sql.placeholder('caution'),
        decidingHost: sql.placeholder('decidingHost'),
      })
      .toSQL().sql,
  );

  function insert(kept: CountedKeptCheck, id: number, settingsOf: InForceIds): CountedCheck {
    const { requestId, decision, probability, answerTimeBucket } = kept;
    insertCheck.run(
      id,
      requestIdBytes(requestId),
      DECISIONS.indexOf(decision),
      probability,
      answerTimeBucket,
      kept.clientHash,
      Number(kept.isUndelivered),
      kept.host,
      kept.url,
      settingsOf(kept.settings),
      kept.record,
      kept.coverage && COVERAGES.indexOf(kept.coverage),
      kept.caution === null ? null : Number(kept.caution),
      kept.decidingHost,
    );
    return { checkedAtMs: requestIdMs(requestId), decision, probability, answerTimeBucket, host: countedHost(kept) };
  }

  return (added) => {
    // In the caller's transaction nobody else adds a check, and counting on is cheaper than asking for each id.
    const newest = newestId.get()?.id ?? 0;
    const firstId = Math.max(newest, deletedId.get()?.id ?? 0) + 1;
    const settingsOf = idsInForce();
    const inserted = added.map((kept, i) => insert(kept, firstId + i, settingsOf));
    counters?.add(inserted);
    // Where the newest were deleted, their block ends without a check at its end.
    indexCompleted(log, newest === 0 ? firstId : newest + 1, firstId + added.length - 1);
    return firstId;
  };
}
