import { and, count, eq, isNull, lt, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { requestIdMs, requestIdsFrom } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { Deletable, RecordedDeletion } from '../deletions/deletion-target.ts';
import { countedHost, hostOfRow, indexedSuffixes } from '../domains/host-suffixes.ts';
import { EVERY_CHECK } from '../read/check-filter.ts';
import { StoreError } from '../store-error.ts';
import { askInTurn } from './session/ask-in-turn.ts';
import type { DatabaseUrl } from './session/database-url.ts';
import { databaseFaultOf, withoutStatement } from './session/fault.ts';
import { findIds, isOneOf } from './read/find-in-database.ts';
import { lastLoggedIn } from './read/read-database.ts';
import { guardOf, type ServerGuard } from './session/server-guard.ts';
import { createSession, type DatabaseConnection } from './session/session.ts';
import { subtractCounts } from './session/subtract-counts.ts';
import { pgCheckDomains, pgChecks, pgDeletions, pgUndelivered } from './schema/tables.ts';

/** For the counts of so many, nodes wait. */
const CHECKS_A_STEP = 100;

const TIMEOUT_MS = 60_000;

type Row = typeof pgDeletions.$inferSelect;

/** Deletions from a log in a database, and the record of them, which only grows. Only its owner may delete. */
export interface DatabaseDeletions extends AsyncDisposable {
  /** How many checks a deletion would take. */
  count(meant: Deletable): Promise<number>;
  /** Deletes what is meant, and `earlier` what was asked for before and not done. Resolves with what came of it. */
  remove(
    meant: Deletable,
    wantedHash: Buffer,
    askedAtMs: number,
  ): Promise<{ readonly deletion: RecordedDeletion; readonly earlier: readonly RecordedDeletion[] }>;
  /** All of them, oldest first. */
  all(): Promise<readonly RecordedDeletion[]>;
}

/** Opens a log in its database; whatever is wrong with that is a StoreError. */
export function openDatabaseDeletions(
  visibility: Visibility,
  urls: readonly DatabaseUrl[],
  guard: ServerGuard = guardOf(visibility, urls),
): DatabaseDeletions {
  const makeReady = async (client: DatabaseConnection<unknown>['sql'], url: DatabaseUrl) =>
    void (await guard.admit(client, url, 'write', TIMEOUT_MS));
  const session = askInTurn(createSession({ urls, timeoutMs: TIMEOUT_MS, max: 1, makeReady }), urls.length);

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
    count: (meant) => inDatabase((db) => countMeant(db, meant)),
    async remove({ by, wanted }, wantedHash, askedAtMs) {
      const due = (await all()).filter(({ doneAtMs }) => doneAtMs === null);
      const [asked] = await inDatabase(async (db) => {
        const row = { askedAtMs, by, wanted, wantedHash, lastLogged: await lastLoggedIn(db), removed: 0 };
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

async function countMeant(db: BunSQLDatabase, { by, wanted }: Deletable): Promise<number> {
  const counted = { checks: count() };
  const rows =
    by === 'domain'
      ? db.select(counted).from(pgCheckDomains).where(eq(pgCheckDomains.domain, wanted))
      : db.select(counted).from(pgChecks).where(idsMeant(by, wanted));
  return (await rows)[0]?.checks ?? 0;
}

const idsMeant = (by: 'id' | 'before', wanted: string) =>
  by === 'id' ? eq(pgChecks.requestId, wanted) : lt(pgChecks.requestId, requestIdsFrom(Date.parse(wanted)));

/** Some that are to go and are there. */
async function dueIds(db: BunSQLDatabase, { by, wanted, lastLogged }: Row): Promise<string[]> {
  if (wanted === null) return [];
  if (by === 'id') {
    const rows = await db.select({ id: pgChecks.requestId }).from(pgChecks).where(idsMeant(by, wanted));
    return rows.map(({ id }) => id);
  }
  const which = by === 'domain' ? { domain: wanted } : { untilMs: Date.parse(wanted) };
  return await findIds(db, { ...EVERY_CHECK, ...which }, { afterId: null, lastLogged }, CHECKS_A_STEP);
}

/** How many have gone is noted in the transaction that deletes them. */
async function deleteSome(db: BunSQLDatabase, visibility: Visibility, deletion: number, ids: readonly string[]) {
  await db.transaction(async (transaction) => {
    const { requestId, decision, probability, answerTimeBucket, host, decidingHost, url } = pgChecks;
    const gone = await transaction
      .delete(pgChecks)
      .where(isOneOf(requestId, ids))
      .returning({ requestId, decision, probability, answerTimeBucket, host, decidingHost, url });
    const names = gone.flatMap((row) =>
      indexedSuffixes(hostOfRow(row)).map((domain) => ({
        domain,
        decision: DECISIONS.indexOf(row.decision),
        request_id: row.requestId,
      })),
    );
    await transaction.execute(sql`delete from check_domains
      using json_to_recordset(${JSON.stringify(names)}::text::json) as gone (domain text, decision int2, request_id uuid)
      where check_domains.domain = gone.domain collate "C" and check_domains.decision = gone.decision
        and check_domains.request_id = gone.request_id`);
    await transaction.delete(pgUndelivered).where(isOneOf(pgUndelivered.requestId, ids));
    await transaction
      .update(pgDeletions)
      .set({ removed: sql`${pgDeletions.removed} + ${gone.length}` })
      .where(eq(pgDeletions.id, deletion));
    if (visibility === 'private') return;
    await subtractCounts(
      transaction,
      gone.map((row) => ({ ...row, checkedAtMs: requestIdMs(row.requestId), host: countedHost(row) })),
    );
  });
}
