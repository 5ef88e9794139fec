import { and, asc, type Column, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { PACKED_REASON_BYTES } from '#src/checks/record/pack/pack-reasons.ts';
import { isOfDomain } from '#src/checks/store/domains/find-by-domain.ts';
import { domainKey } from '#src/checks/store/domains/host-suffixes.ts';
import { type CheckFilter, decisionsOf, ofDecision, type Span, within } from '#src/checks/store/read/check-filter.ts';
import type { EntryTally } from '#src/checks/store/read/list-hits.ts';
import { type Queries, queriesOf, tableOf } from '#src/checks/store/read/queries.ts';
import { entriesWhere, ROWS_PER_READ } from '#src/checks/store/read/read-entries.ts';
import type { LogTables, ReadableLog } from '#src/checks/store/read/readable-log.ts';
import { rowFilter } from '#src/checks/store/read/search.ts';
import type { LogTail, SearchFilter } from '#src/checks/store/scan-log.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { isRequestId, requestIdLowerBound } from '#src/core/base/request-id.ts';
import { domainColumn, pgActiveSettings, pgChecks, pgCounts, pgMessages, pgUndelivered } from '../schema/tables.ts';
import type { Session } from '../session/session.ts';

const CHECKS = tableOf(pgChecks);
const MESSAGES = tableOf(pgMessages);
const { requestId, decision, logged } = CHECKS;

/** Returns if a record is among the undelivered. */
const isUndelivered = (id: Column) =>
  sql<boolean>`exists (select from ${pgUndelivered} where ${pgUndelivered.requestId} = ${id})`;

/** The tables of a database. */
export const DATABASE_TABLES: LogTables = {
  checks: CHECKS,
  messages: MESSAGES,
  activeSettings: tableOf(pgActiveSettings),
  counts: tableOf(pgCounts),
  logged: { checks: logged, messages: MESSAGES.logged },
  isUndelivered: { checks: isUndelivered(requestId), messages: isUndelivered(MESSAGES.requestId) },
  modelVersion: sql<string | null>`${pgActiveSettings.settings}::json ->> 'model_version'`,
  startMs: sql`('x' || translate(left(${requestId}::text, 13), '-', ''))::bit(48)::int8`,
  ends: { first: sql<string | null>`min(${requestId}::text)`, last: sql<string | null>`max(${requestId}::text)` },
  haveIds: (kind, ids) => isOneOf({ checks: CHECKS, messages: MESSAGES }[kind].requestId, ids),
  placeOf: (text, part) => sql`strpos(${text}, ${part})`,
  haveReason: (
    number,
  ) => sql`exists (select from generate_series(1, length(${CHECKS.reasons}), ${sql.raw(String(PACKED_REASON_BYTES))}) as place
    where substr(${CHECKS.reasons}, place, ${sql.raw(String(number.length))}) = ${number}::bytea)`,
  withoutIndex: (column) => column,
};

/** Opens a database for reading, over the connections of a session. */
export function readDatabase(session: Session, isCounted: boolean): ReadableLog {
  return {
    tables: DATABASE_TABLES,
    isCounted,
    run: (work) => session.run(({ db }) => work(queriesOf(db))),
    turn: () => Promise.resolve(),
    lastLogged: (db) => lastLoggedIn(db),
    async find(db, filter, span, limit) {
      const ids = await findIds(db, filter, span, limit);
      return { count: ids.length, last: ids.at(-1) ?? null, are: isOneOf(requestId, ids) };
    },
    findMessages: (filter, span) => and(hasDecision(MESSAGES.decision, filter), within(MESSAGES, filter, span)),
    async walkEnds(db) {
      const settled = await settledIn(db);
      return settled === null ? null : { last: settled, until: () => settled };
    },
  };
}

/** Returns the ids of the `limit` newest matching checks in the range, newest first. */
export async function findIds(db: Queries, filter: SearchFilter, span: Span, limit: number): Promise<string[]> {
  if (filter.domain !== null) {
    const domain = domainKey(filter.domain);
    return domain === null ? [] : await findIdsOfDomain(db, domain, filter, span, limit);
  }
  const { list = null, entry = null } = filter;
  const isOfEntry = list === null || entry === null ? undefined : and(eq(CHECKS.list, list), eq(CHECKS.entry, entry));
  const rows = await db
    .select({ requestId })
    .from(CHECKS)
    .where(and(within(CHECKS, filter, span), hasDecision(decision, filter), isOfEntry))
    .orderBy(desc(requestId))
    .limit(limit);
  return rows.map((row) => row.requestId);
}

/** Names a decision in the statement, because the index has only some of them and the planner must know which is meant. */
function hasDecision(column: Column, filter: Pick<CheckFilter, 'decision'>): SQL | undefined {
  if (filter.decision === null) return undefined;
  return sql`${column} = ${sql.raw(String(DECISIONS.indexOf(filter.decision)))}`;
}

/**
 * Finds ids by domain. Each decision is a sorted range of the domain's index, whose hash other hosts may have, too; some of
 * the results may not be on the list.
 */
async function findIdsOfDomain(db: Queries, domain: string, filter: CheckFilter, span: Span, limit: number) {
  const { column, hash } = domainColumn(domain);
  const { host, url } = CHECKS;
  const { newest } = span;
  const found: string[] = [];
  for (let { after } = span; ; ) {
    const place = { after, newest: null };
    const ranges = decisionsOf(filter).map((one) =>
      db
        .select({ id: requestId, logged, host, url })
        .from(CHECKS)
        .where(and(eq(column, hash), eq(decision, one), within(CHECKS, filter, place)))
        .orderBy(desc(requestId))
        .limit(limit),
    );
    const rows = (await Promise.all(ranges))
      .flat()
      .toSorted((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, limit);
    const listed = rows.filter((row) => isOfDomain(row, domain) && (newest === null || row.logged <= newest));
    found.push(...listed.map(({ id }) => id));
    if (rows.length < limit || found.length >= limit) return found.slice(0, limit);
    after = rows.at(-1)?.id ?? null;
  }
}

/** Compares a column with ids in one parameter, because each number of parameters would be prepared separately. */
export function isOneOf(column: Column, ids: readonly string[]): SQL {
  return sql`${column} = any(${`{${ids.join(',')}}`}::uuid[])`;
}

/** Returns the last assigned number. */
export async function lastLoggedIn(db: Queries): Promise<number> {
  const [row] = await db.select({ last: sql<string>`last_value` }).from(sql`checks_logged`);
  return Number(row?.last ?? 0);
}

/** Attempts to wait for appends, which take milliseconds; slower ones are left to the next page. */
const ATTEMPTS = 20;
const ATTEMPT_EVERY_MS = 10;

/**
 * Returns the last number up to which all checks are committed or never will be; null if unknown. Numbers are assigned before
 * commit, and a later one may be committed first. A writer takes the table lock before its number and holds it until its
 * commit is visible: once all holders at the time of reading are done, no earlier number is pending. A standby sees only
 * its own locks.
 */
async function settledIn(db: Queries): Promise<number | null> {
  const [row] = await db
    .select({
      last: sql<string>`case when is_called then last_value else 0 end`,
      isStandby: sql<boolean>`pg_is_in_recovery()`,
    })
    .from(sql`checks_logged`);
  if (row === undefined || row.isStandby) return null;
  let before = await writersIn(db);
  for (let attempt = 0; before.size > 0; attempt++) {
    if (attempt === ATTEMPTS) return null;
    await Bun.sleep(ATTEMPT_EVERY_MS);
    const now = await writersIn(db);
    before = before.intersection(now);
  }
  return Number(row.last);
}

/** Returns the transactions that are writing checks. */
async function writersIn(db: Queries): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ transaction: sql<string>`virtualtransaction` })
    .from(sql`pg_locks`)
    .where(
      sql`locktype = 'relation' and relation = 'checks'::regclass and mode = 'RowExclusiveLock' and granted and database = (select oid from pg_database where datname = current_database())`,
    );
  return new Set(rows.map(({ transaction }) => transaction));
}

/** Entries per query. */
const ENTRIES_PER_QUERY = 1000;

/** Counts the checks of a database since a moment by the entry that decided, a page of entries at a time. */
export async function* databaseHits(session: Session, sinceMs: number): AsyncGenerator<readonly EntryTally[]> {
  const since = requestIdLowerBound(sinceMs);
  let after = { list: '', entry: '' };
  for (;;) {
    const found = await session.run(({ db }) =>
      db
        .select({
          list: sql<string>`list`,
          entry: sql<string>`entry`,
          hits: sql<string>`hits`.mapWith(Number),
        })
        .from(sql`list_hits(${since}::uuid, ${after.list}::text, ${after.entry}::text, ${ENTRIES_PER_QUERY}::int4)`),
    );
    yield found;
    const last = found.at(-1);
    if (last === undefined || found.length < ENTRIES_PER_QUERY) return;
    after = last;
  }
}

/** Returns those of some ids that no check of a log has, which a node may not read itself. */
export async function missingIn(session: Session, ids: readonly string[]): Promise<string[]> {
  const asked = `{${ids.filter(isRequestId).join(',')}}`;
  const rows = await session.run(({ db }) =>
    db.select({ id: sql<string>`id` }).from(sql`missing_checks(${asked}::uuid[]) as missing (id)`),
  );
  return rows.map(({ id }) => id);
}

/** Time after which a number's check is committed or never will be: statements are canceled earlier. */
const SETTLED_MS = 10_000;

/** Follows the checks that any node logs from now on. */
export async function tailDatabase(session: Session, filter: CheckFilter, clock: Clock): Promise<LogTail> {
  const isMeant = rowFilter(filter);
  /** All checks up to here were returned or will never come. */
  let settled = await session.run(({ db }) => lastLoggedIn(queriesOf(db)));
  const returned = new Set<number>();
  const readings: { readonly atMs: number; readonly last: number }[] = [];

  function settle(last: number): void {
    const nowMs = clock.monotonicMs();
    readings.push({ atMs: nowMs, last });
    while (readings[0] && readings[0].atMs < nowMs - SETTLED_MS) settled = readings.shift()?.last ?? settled;
    for (const one of returned) if (one <= settled) returned.delete(one);
  }

  return {
    next: () =>
      session.run(async ({ db }) => {
        const last = await lastLoggedIn(queriesOf(db));
        const { requestId, logged, host, url, decision } = pgChecks;
        for (let after = settled; ; ) {
          const rows = await db
            .select({ requestId, logged, host, url })
            .from(pgChecks)
            .where(and(gt(logged, after), ofDecision(decision, filter)))
            .orderBy(asc(logged))
            .limit(ROWS_PER_READ);
          const fresh = rows.filter((row) => !returned.has(row.logged));
          const meant = fresh.filter(isMeant).map((row) => row.requestId);
          const entries =
            meant.length === 0
              ? []
              : await entriesWhere(queriesOf(db), DATABASE_TABLES, isOneOf(requestId, meant), 'as logged');
          for (const row of fresh) returned.add(row.logged);
          after = rows.at(-1)?.logged ?? after;
          const isEnd = rows.length < ROWS_PER_READ;
          if (isEnd) settle(last);
          if (isEnd || entries.length > 0) return entries;
        }
      }),
  };
}
