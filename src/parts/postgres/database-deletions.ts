import { and, count, eq, isNull, lt, type SQL as Statement, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import type { DeletionTarget, RecordedDeletion } from '#src/checks/store/deletions/deletion-target.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { queriesOf } from '#src/checks/store/read/queries.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import {
  type CheckSums,
  type CountedCheck,
  periodStart,
  sumUp,
  sumUpMessages,
} from '#src/checks/store/write/counters.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { requestIdLowerBound, requestIdMs } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { findIds, isOneOf, lastLoggedIn } from './read/read-database.ts';
import {
  FOLDED_NODE,
  PG_BLOCKED_KINDS,
  PG_MEASURES,
  pgChecks,
  pgDeletions,
  pgMessages,
  pgUndelivered,
} from './schema/tables.ts';
import { databaseFaultOf, withoutStatement } from './session/fault.ts';
import { guardOf, type ServerGuard } from './session/server-guard.ts';
import { createSession, type DatabaseConnection, withFailover } from './session/session.ts';

/** Checks per transaction, which blocks the nodes' counts. */
const CHECKS_A_STEP = 100;

/** Checks of a domain that are counted together, since each one's host is compared. */
const COUNTED_TOGETHER = 10_000;

const TIMEOUT_MS = 60_000;

type Row = typeof pgDeletions.$inferSelect;

/** Deletions from a log in a database, and their append-only record. Only its owner may delete. */
export interface DatabaseDeletions extends AsyncDisposable {
  /** Counts the checks that a deletion would remove. */
  count(meant: DeletionTarget): Promise<number>;
  /** Deletes the target and, as `earlier`, pending deletions. Resolves with the results. */
  remove(
    meant: DeletionTarget,
    wantedHash: Buffer,
    askedAtMs: number,
  ): Promise<{ readonly deletion: RecordedDeletion; readonly earlier: readonly RecordedDeletion[] }>;
  /** Returns all deletions, oldest first. */
  all(): Promise<readonly RecordedDeletion[]>;
}

/** Opens the deletions of a log in its database; failures are StoreErrors. */
export function openDatabaseDeletions(
  visibility: Visibility,
  urls: readonly DatabaseUrl[],
  guard: ServerGuard = guardOf(visibility, urls),
): DatabaseDeletions {
  const prepare = async (client: DatabaseConnection<unknown>['sql'], url: DatabaseUrl) =>
    void (await guard.admit(client, url, 'write', TIMEOUT_MS));
  const session = withFailover(createSession({ urls, timeoutMs: TIMEOUT_MS, max: 1, prepare }), urls);

  async function inDatabase<T>(work: (db: BunSQLDatabase) => Promise<T>): Promise<T> {
    try {
      return await session.run(({ db }) => work(db));
    } catch (error) {
      const fault = databaseFaultOf(error);
      if (!fault) throw error;
      const matter = fault.lacksRight ? 'only the owner of the database may delete: name its URL' : fault.matter;
      throw new StoreError('database', `Nothing more is deleted: ${matter}.`, { cause: withoutStatement(error) });
    }
  }

  async function finish(deletion: Row): Promise<void> {
    let due: string[];
    do {
      due = await inDatabase(async (db) => {
        const ids = await dueIds(db, deletion);
        if (ids.length > 0) await deleteSome(db, visibility, deletion.id, ids);
        return ids;
      });
    } while (due.length > 0);
    for (let gone = -1; gone !== 0; ) gone = await inDatabase((db) => deleteMessages(db, visibility, deletion));
    const change = { doneAtMs: Date.now(), ...(deletion.by !== 'before' && { wanted: null }) };
    await inDatabase((db) =>
      db
        .update(pgDeletions)
        .set(change)
        .where(and(eq(pgDeletions.id, deletion.id), isNull(pgDeletions.doneAtMs))),
    );
  }

  const all = () => inDatabase((db) => db.select().from(pgDeletions).orderBy(pgDeletions.id));

  return {
    async count({ by, wanted }) {
      if (by !== 'domain')
        return await inDatabase(
          async (db) => (await countMeant(db, by, wanted)) + (await countMessages(db, by, wanted)),
        );
      const filter = { ...EVERY_CHECK, domain: wanted };
      let counted = 0;
      for (let afterId: string | null = null; ; ) {
        const span = { after: afterId, newest: null };
        const ids: string[] = await inDatabase((db) => findIds(queriesOf(db), filter, span, COUNTED_TOGETHER));
        counted += ids.length;
        if (ids.length < COUNTED_TOGETHER) return counted;
        afterId = ids.at(-1) ?? null;
      }
    },
    async remove({ by, wanted }, wantedHash, askedAtMs) {
      const due = (await all()).filter(({ doneAtMs }) => doneAtMs === null);
      const [asked] = await inDatabase(async (db) => {
        const row = { askedAtMs, by, wanted, wantedHash, lastLogged: await lastLoggedIn(queriesOf(db)), removed: 0 };
        return await db.insert(pgDeletions).values(row).returning();
      });
      if (!asked) throw new Error('the database took a deletion and gave it no number');
      for (const one of [...due, asked]) await finish(one);
      const done = await all();
      const found = (id: number) => done.filter((one) => one.id === id);
      return { deletion: found(asked.id)[0] ?? asked, earlier: due.flatMap(({ id }) => found(id)) };
    },
    all,
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

async function countMeant(db: BunSQLDatabase, by: 'id' | 'before', wanted: string): Promise<number> {
  const rows = await db.select({ checks: count() }).from(pgChecks).where(idsMeant(by, wanted));
  return rows[0]?.checks ?? 0;
}

const idsMeant = (
  by: 'id' | 'before',
  wanted: string,
  { requestId }: typeof pgChecks | typeof pgMessages = pgChecks,
) => (by === 'id' ? eq(requestId, wanted) : lt(requestId, requestIdLowerBound(Date.parse(wanted))));

async function countMessages(db: BunSQLDatabase, by: 'id' | 'before', wanted: string): Promise<number> {
  const rows = await db
    .select({ messages: count() })
    .from(pgMessages)
    .where(idsMeant(by, wanted, pgMessages));
  return rows[0]?.messages ?? 0;
}

/** Deletes some of the messages that a deletion still has to remove, in one transaction; a domain names none. */
async function deleteMessages(db: BunSQLDatabase, visibility: Visibility, { id, by, wanted }: Row): Promise<number> {
  if (wanted === null || by === 'domain') return 0;
  const { requestId, decision } = pgMessages;
  const due = await db
    .select({ requestId })
    .from(pgMessages)
    .where(idsMeant(by, wanted, pgMessages))
    .limit(CHECKS_A_STEP);
  if (due.length === 0) return 0;
  const ids = due.map((row) => row.requestId);
  return await db.transaction(async (transaction) => {
    const gone = await transaction.delete(pgMessages).where(isOneOf(requestId, ids)).returning({ requestId, decision });
    await transaction.delete(pgUndelivered).where(isOneOf(pgUndelivered.requestId, ids));
    await noteRemoved(transaction, id, gone.length);
    if (visibility === 'public') await subtractCounts(transaction, sumUpMessages(gone), []);
    return gone.length;
  });
}

/** Returns some of the checks that a deletion still has to remove. */
async function dueIds(db: BunSQLDatabase, { by, wanted, lastLogged }: Row): Promise<string[]> {
  if (wanted === null) return [];
  if (by === 'id') {
    const rows = await db.select({ id: pgChecks.requestId }).from(pgChecks).where(idsMeant(by, wanted));
    return rows.map(({ id }) => id);
  }
  const which = by === 'domain' ? { domain: wanted } : { untilMs: Date.parse(wanted) };
  return await findIds(queriesOf(db), { ...EVERY_CHECK, ...which }, { after: null, newest: lastLogged }, CHECKS_A_STEP);
}

/** Deletes checks and updates their number in one transaction. */
async function deleteSome(db: BunSQLDatabase, visibility: Visibility, deletion: number, ids: readonly string[]) {
  await db.transaction(async (transaction) => {
    const { requestId, decision, probability, answerTimeBucket, host, decidingHost, url } = pgChecks;
    const gone = await transaction
      .delete(pgChecks)
      .where(isOneOf(requestId, ids))
      .returning({ requestId, decision, probability, answerTimeBucket, host, decidingHost, url });
    await transaction.delete(pgUndelivered).where(isOneOf(pgUndelivered.requestId, ids));
    await noteRemoved(transaction, deletion, gone.length);
    if (visibility === 'public') await subtractCounts(transaction, sumUp(gone), gone);
  });
}

async function noteRemoved(db: Pick<BunSQLDatabase, 'update'>, deletion: number, removed: number): Promise<void> {
  await db
    .update(pgDeletions)
    .set({ removed: sql`${pgDeletions.removed} + ${removed}` })
    .where(eq(pgDeletions.id, deletion));
}

/** A transaction that runs statements. */
interface Transaction {
  execute(statement: Statement): PromiseLike<unknown>;
}

/**
 * Subtracts deleted checks from the counts, as the last part of a transaction: it locks the tables, because nodes count
 * in another order. The counts of all nodes are merged, and a name without checks is removed.
 */
async function subtractCounts(
  transaction: Transaction,
  { counts }: CheckSums,
  checks: readonly CountedCheck[],
): Promise<void> {
  const counted = [...counts.values()].map(({ measure, ...counter }) => ({
    ...counter,
    measure: PG_MEASURES[measure],
  }));
  const byDay = Map.groupBy(checks, ({ requestId }) => periodStart(requestIdMs(requestId), DAY_MS));
  const blocked = [...byDay].flatMap(([dayMs, ofDay]) =>
    [...sumUp(ofDay).blocked.values()].map((one) => ({ ...one, dayMs, kind: PG_BLOCKED_KINDS[one.kind] })),
  );
  await transaction.execute(sql`lock table counts, blocked in share row exclusive mode`);
  await transaction.execute(sql`with gone as (
      delete from counts using json_to_recordset(${JSON.stringify(counted)}::text::json)
        as less (measure int2, "periodStartMs" int8, bucket int2, sum int8)
      where counts.measure = less.measure and period_start_ms = "periodStartMs" and counts.bucket = less.bucket
      returning counts.measure, period_start_ms, counts.bucket, checks, less.sum)
    insert into counts (measure, period_start_ms, bucket, node, checks)
    select measure, period_start_ms, bucket, ${FOLDED_NODE}::int4, sum(checks) - max(sum) from gone
    group by 1, 2, 3 having sum(checks) > max(sum)`);
  await transaction.execute(sql`with gone as (
      delete from blocked using json_to_recordset(${JSON.stringify(blocked)}::text::json)
        as less ("dayMs" int8, kind int2, name text, sum int8)
      where day_ms = "dayMs" and blocked.kind = less.kind and blocked.name = less.name collate "C"
      returning day_ms, blocked.kind, blocked.name, checks, less.sum)
    insert into blocked (day_ms, kind, name, node, checks)
    select day_ms, kind, name, ${FOLDED_NODE}::int4, sum(checks) - max(sum) from gone
    group by 1, 2, 3 having sum(checks) > max(sum)`);
}
