import { and, asc, type Column, type SQL as Condition, desc, eq, gt, gte, lt, lte, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { isOfDomain } from '#src/checks/store/domains/find-by-domain.ts';
import { domainKey } from '#src/checks/store/domains/host-suffixes.ts';
import { type CheckFilter, decisionsOf, type FilterUpTo } from '#src/checks/store/read/check-filter.ts';
import { historyItem } from '#src/checks/store/read/history-item.ts';
import { resultOfRow } from '#src/checks/store/read/result-row.ts';
import type { SearchableCheck } from '#src/checks/store/read/search.ts';
import { MAX_SCANNED, placeIn, readPlace, walkedPage, writePlace } from '#src/checks/store/read/walk.ts';
import type { HistoryWalk, LogEntry, SearchFilter, WalkedPage } from '#src/checks/store/scan-log.ts';
import { isRequestId, requestIdLowerBound } from '#src/core/base/request-id.ts';
import { domainColumn, pgActiveSettings, pgChecks, pgUndelivered } from '../schema/tables.ts';

/** Attempts to wait for appends, which take milliseconds; slower ones are left to the next page. */
const ATTEMPTS = 20;
const ATTEMPT_EVERY_MS = 10;

/**
 * Returns the checks that any node logged after a place, by number. Numbers are assigned before commit, and a later one
 * may be committed first: the walk stops before numbers that are still being written.
 *
 * @throws BadCursorError for a place that this log did not return
 */
export async function walkDatabase(db: BunSQLDatabase, { after, limit, ...filter }: HistoryWalk): Promise<WalkedPage> {
  const place = readPlace(after);
  const settled = await settledIn(db);
  // The complete range is unknown: the place stays.
  if (settled === null) return { items: [], next: writePlace(place), isEnd: true };
  const { requestId, logged, host } = pgChecks;
  const [standing] = await db.select({ requestId }).from(pgChecks).where(eq(logged, place.id)).limit(1);
  const from = placeIn(place, settled, standing?.requestId ?? null);
  const rows = await db
    .select({ ...PG_SUMMARY_COLUMNS, id: logged, host })
    .from(pgChecks)
    .leftJoin(pgActiveSettings, eq(pgActiveSettings.id, pgChecks.activeSettings))
    .where(and(gt(logged, from.id), lte(logged, settled)))
    .orderBy(asc(logged))
    .limit(MAX_SCANNED);
  return walkedPage(rows, { from, isLast: rows.length < MAX_SCANNED, limit, filter });
}

/**
 * Returns the last number up to which all checks are committed or never will be; null if unknown. A writer takes the
 * table lock before its number and holds it until its commit is visible: once all holders at the time of reading are
 * done, no earlier number is pending. A standby sees only its own locks.
 */
async function settledIn(db: BunSQLDatabase): Promise<number | null> {
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
async function writersIn(db: BunSQLDatabase): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ transaction: sql<string>`virtualtransaction` })
    .from(sql`pg_locks`)
    .where(
      sql`locktype = 'relation' and relation = 'checks'::regclass and mode = 'RowExclusiveLock' and granted and database = (select oid from pg_database where datname = current_database())`,
    );
  return new Set(rows.map(({ transaction }) => transaction));
}

/** Range of a list. */
export interface Span {
  /** The check after which it continues; null at its beginning. */
  readonly afterId: string | null;
  /** Number of the last check on the list; null if all are. */
  readonly lastLogged: number | null;
}

const { requestId, decision, logged } = pgChecks;

/** Model version of a check's active settings. */
export const PG_MODEL_VERSION = sql<string | null>`${pgActiveSettings.settings}::json ->> 'model_version'`;

/** Columns that the history shows and filters by. */
export const PG_SUMMARY_COLUMNS = {
  requestId,
  url: pgChecks.url,
  probability: pgChecks.probability,
  decision,
  coverage: pgChecks.coverage,
  caution: pgChecks.caution,
  via: pgChecks.via,
  reasons: pgChecks.reasons,
  list: pgChecks.list,
  entry: pgChecks.entry,
  listOwner: pgChecks.listOwner,
  modelVersion: PG_MODEL_VERSION,
};

/** Returns false if no check was classified by this version of the models; true if none is given. */
export async function knowsModel(db: BunSQLDatabase, { modelVersion = null }: SearchFilter): Promise<boolean> {
  if (modelVersion === null) return true;
  const rows = await db
    .select({ id: pgActiveSettings.id })
    .from(pgActiveSettings)
    .where(eq(PG_MODEL_VERSION, modelVersion))
    .limit(1);
  return rows.length > 0;
}

/** Returns the ids of the `limit` newest matching checks in the range, newest first. */
export async function findIds(db: BunSQLDatabase, filter: FilterUpTo, span: Span, limit: number): Promise<string[]> {
  if (filter.domain !== null) {
    const domain = domainKey(filter.domain);
    return domain === null ? [] : await findIdsOfDomain(db, domain, filter, span, limit);
  }
  const { list = null, entry = null } = filter;
  const rows = await db
    .select({ requestId })
    .from(pgChecks)
    .where(
      and(
        ...between(filter, span.afterId),
        filter.decision === null ? undefined : hasDecision(filter.decision),
        list === null || entry === null ? undefined : and(eq(pgChecks.list, list), eq(pgChecks.entry, entry)),
        onList(span),
      ),
    )
    .orderBy(desc(requestId))
    .limit(limit);
  return rows.map((row) => row.requestId);
}

/** Names a decision in the statement, because the index has only some of them and the planner must know which is meant. */
function hasDecision(one: (typeof DECISIONS)[number]): Condition {
  return sql`${decision} = ${sql.raw(String(DECISIONS.indexOf(one)))}`;
}

/**
 * Finds ids by domain. Each decision is a sorted range of the domain's index, whose hash other hosts may have, too; some of
 * the results may not be on the list.
 */
async function findIdsOfDomain(
  db: BunSQLDatabase,
  domain: string,
  filter: CheckFilter,
  span: Span,
  limit: number,
): Promise<string[]> {
  const found: string[] = [];
  let afterId = span.afterId;
  for (;;) {
    const ranges = decisionsOf(filter).map((one) => newestOfHash(db, domain, one, filter, afterId, limit));
    const rows = (await Promise.all(ranges))
      .flat()
      .toSorted((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, limit);
    const isMeant = (row: DomainRow) =>
      isOfDomain(row, domain) && (span.lastLogged === null || row.logged <= span.lastLogged);
    found.push(...rows.filter(isMeant).map(({ id }) => id));
    if (rows.length < limit || found.length >= limit) return found.slice(0, limit);
    afterId = rows.at(-1)?.id ?? null;
  }
}

/** A check as far as a search by domain compares it. */
interface DomainRow {
  readonly id: string;
  readonly logged: number;
  readonly host: string | null;
  readonly url: string;
}

async function newestOfHash(
  db: BunSQLDatabase,
  domain: string,
  one: ReturnType<typeof decisionsOf>[number],
  filter: CheckFilter,
  afterId: string | null,
  limit: number,
): Promise<DomainRow[]> {
  const { column, hash } = domainColumn(domain);
  return await db
    .select({ id: requestId, logged, host: pgChecks.host, url: pgChecks.url })
    .from(pgChecks)
    .where(and(eq(column, hash), eq(decision, one), ...between(filter, afterId)))
    .orderBy(desc(requestId))
    .limit(limit);
}

function between({ fromMs, untilMs }: CheckFilter, afterId: string | null): (Condition | undefined)[] {
  return [
    fromMs === null ? undefined : gte(requestId, requestIdLowerBound(fromMs)),
    untilMs === null ? undefined : lt(requestId, requestIdLowerBound(untilMs)),
    afterId === null ? undefined : lt(requestId, afterId),
  ];
}

/** Returns those of some ids that no check of a log has, which a node may not read itself. */
export async function missingIn(db: BunSQLDatabase, ids: readonly string[]): Promise<string[]> {
  const asked = `{${ids.filter(isRequestId).join(',')}}`;
  const rows = await db.select({ id: sql<string>`id` }).from(sql`missing_checks(${asked}::uuid[]) as missing (id)`);
  return rows.map(({ id }) => id);
}

/** Compares a column with ids in one parameter, because each number of parameters would be prepared separately. */
export function isOneOf(column: Column, ids: readonly string[]): Condition {
  return sql`${column} = any(${`{${ids.join(',')}}`}::uuid[])`;
}

function onList({ lastLogged }: Span): Condition | undefined {
  return lastLogged === null ? undefined : lte(logged, lastLogged);
}

/** Returns the searchable columns of checks by id, in the same order. */
export async function searchableOf(db: BunSQLDatabase, ids: readonly string[]): Promise<SearchableCheck[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(PG_SUMMARY_COLUMNS)
    .from(pgChecks)
    .leftJoin(pgActiveSettings, eq(pgActiveSettings.id, pgChecks.activeSettings))
    .where(isOneOf(requestId, ids));
  const seen = new Map(rows.map((row) => [row.requestId, row]));
  return ids.flatMap((id) => seen.get(id) ?? []);
}

/** Returns checks by id as the history shows them, in the same order. */
export async function itemsOf(db: BunSQLDatabase, ids: readonly string[]): Promise<HistoryItem[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(PG_SUMMARY_COLUMNS)
    .from(pgChecks)
    .leftJoin(pgActiveSettings, eq(pgActiveSettings.id, pgChecks.activeSettings))
    .where(isOneOf(requestId, ids));
  const items = new Map(rows.map((row) => [row.requestId, historyItem(row)]));
  return ids.flatMap((id) => items.get(id) ?? []);
}

/** Returns complete checks by id, in the same order. */
export async function entriesOf(db: BunSQLDatabase, ids: readonly string[]): Promise<LogEntry[]> {
  const asked = ids.filter(isRequestId);
  if (asked.length === 0) return [];
  const { probability, coverage, caution, host, url, record, via, list, entry, listOwner, clientHash } = pgChecks;
  const rows = await db
    .select({
      kept: {
        ...{ requestId, decision, probability, coverage, caution, host, url, record, via },
        ...{ list, entry, listOwner },
        settings: pgActiveSettings.settings,
      },
      clientHash,
      undelivered: pgUndelivered.requestId,
    })
    .from(pgChecks)
    .leftJoin(pgActiveSettings, eq(pgActiveSettings.id, pgChecks.activeSettings))
    .leftJoin(pgUndelivered, eq(pgUndelivered.requestId, requestId))
    .where(isOneOf(requestId, asked));
  const entries = new Map(
    rows.map((row) => [
      row.kept.requestId,
      {
        result: resultOfRow(row.kept),
        clientHash: row.clientHash?.toString('hex') ?? null,
        isDelivered: row.undelivered === null,
      },
    ]),
  );
  return ids.flatMap((id) => entries.get(id) ?? []);
}
