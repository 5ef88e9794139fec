import { and, type Column, type SQL as Condition, desc, eq, gte, lt, lte, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { isRequestId, requestIdsFrom } from '#src/core/base/request-id.ts';
import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { domainKey } from '../../domains/host-suffixes.ts';
import { type CheckFilter, decisionsOf } from '../../read/check-filter.ts';
import { historyItem } from '../../read/history-item.ts';
import { keptResult } from '../../read/result-row.ts';
import type { SeenCheck } from '../../read/search.ts';
import type { LogEntry, SearchFilter } from '../../scan-log.ts';
import { pgCheckDomains, pgChecks, pgInForce, pgUndelivered } from '../schema/tables.ts';

/** Where a list goes on, and what is on it. */
export interface Span {
  /** The check behind which it goes on; null at its beginning. */
  readonly afterId: string | null;
  /** The number of the last check that is on it; null where all are. */
  readonly lastLogged: number | null;
}

const { requestId, decision, logged } = pgChecks;

/** The version of the models, of the row that was active for a check. */
const MODEL_VERSION = sql<string | null>`${pgInForce.settings}::json ->> 'model_version'`;

/** What the history shows and filters by: columns of the checks, joined with what was active. */
export const PG_SUMMARY_COLUMNS = {
  requestId,
  url: pgChecks.url,
  probability: pgChecks.probability,
  decision,
  coverage: pgChecks.coverage,
  caution: pgChecks.caution,
  modelVersion: MODEL_VERSION,
};

/** Returns false if no check was classified by this version of the models; true if none is given. */
export async function knowsModel(db: BunSQLDatabase, { modelVersion = null }: SearchFilter): Promise<boolean> {
  if (modelVersion === null) return true;
  const rows = await db.select({ id: pgInForce.id }).from(pgInForce).where(eq(MODEL_VERSION, modelVersion)).limit(1);
  return rows.length > 0;
}

/** The ids of the `limit` newest checks that match and lie in the span, newest first. */
export async function findIds(db: BunSQLDatabase, filter: CheckFilter, span: Span, limit: number): Promise<string[]> {
  if (filter.domain !== null) {
    const domain = domainKey(filter.domain);
    return domain === null ? [] : await findIdsOfDomain(db, domain, filter, span, limit);
  }
  const rows = await db
    .select({ requestId })
    .from(pgChecks)
    .where(
      and(
        ...between(requestId, filter, span.afterId),
        filter.decision === null ? undefined : eq(decision, filter.decision),
        onList(span),
      ),
    )
    .orderBy(desc(requestId))
    .limit(limit);
  return rows.map((row) => row.requestId);
}

/** Each decision is a range of the index by domain, in order already. Of what they give some may not be on the list. */
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
    const ranges = decisionsOf(filter).map((one) => newestOfDomain(db, domain, one, filter, afterId, limit));
    const ids = (await Promise.all(ranges)).flat().toSorted().toReversed().slice(0, limit);
    found.push(...(await amongList(db, ids, span)));
    if (ids.length < limit || found.length >= limit) return found.slice(0, limit);
    afterId = ids.at(-1) ?? null;
  }
}

async function newestOfDomain(
  db: BunSQLDatabase,
  domain: string,
  one: ReturnType<typeof decisionsOf>[number],
  filter: CheckFilter,
  afterId: string | null,
  limit: number,
): Promise<string[]> {
  const table = pgCheckDomains;
  const rows = await db
    .select({ requestId: table.requestId })
    .from(table)
    .where(and(eq(table.domain, domain), eq(table.decision, one), ...between(table.requestId, filter, afterId)))
    .orderBy(desc(table.requestId))
    .limit(limit);
  return rows.map((row) => row.requestId);
}

async function amongList(db: BunSQLDatabase, ids: readonly string[], span: Span): Promise<readonly string[]> {
  if (span.lastLogged === null || ids.length === 0) return ids;
  const rows = await db
    .select({ requestId })
    .from(pgChecks)
    .where(and(isOneOf(requestId, ids), onList(span)));
  const onIt = new Set(rows.map((row) => row.requestId));
  return ids.filter((id) => onIt.has(id));
}

type IdColumn = typeof pgChecks.requestId | typeof pgCheckDomains.requestId;

function between(id: IdColumn, { fromMs, untilMs }: CheckFilter, afterId: string | null): (Condition | undefined)[] {
  return [
    fromMs === null ? undefined : gte(id, requestIdsFrom(fromMs)),
    untilMs === null ? undefined : lt(id, requestIdsFrom(untilMs)),
    afterId === null ? undefined : lt(id, afterId),
  ];
}

/** One parameter, however many: each number of them would be a statement of its own to prepare. */
export function isOneOf(column: Column, ids: readonly string[]): Condition {
  return sql`${column} = any(${`{${ids.join(',')}}`}::uuid[])`;
}

function onList({ lastLogged }: Span): Condition | undefined {
  return lastLogged === null ? undefined : lte(logged, lastLogged);
}

/** What a search sees of the checks with these ids, in the same order. */
export async function seenOf(db: BunSQLDatabase, ids: readonly string[]): Promise<SeenCheck[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(PG_SUMMARY_COLUMNS)
    .from(pgChecks)
    .leftJoin(pgInForce, eq(pgInForce.id, pgChecks.inForce))
    .where(isOneOf(requestId, ids));
  const seen = new Map(rows.map((row) => [row.requestId, row]));
  return ids.flatMap((id) => seen.get(id) ?? []);
}

/** The checks with these ids as the history shows them, in the same order. */
export async function itemsOf(db: BunSQLDatabase, ids: readonly string[]): Promise<HistoryItem[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(PG_SUMMARY_COLUMNS)
    .from(pgChecks)
    .leftJoin(pgInForce, eq(pgInForce.id, pgChecks.inForce))
    .where(isOneOf(requestId, ids));
  const items = new Map(rows.map((row) => [row.requestId, historyItem(row)]));
  return ids.flatMap((id) => items.get(id) ?? []);
}

/** The checks with these ids, whole, in the same order. */
export async function entriesOf(db: BunSQLDatabase, ids: readonly string[]): Promise<LogEntry[]> {
  const asked = ids.filter(isRequestId);
  if (asked.length === 0) return [];
  const { probability, coverage, caution, host, url, record, clientHash } = pgChecks;
  const rows = await db
    .select({
      kept: {
        ...{ requestId, decision, probability, coverage, caution, host, url, record },
        settings: pgInForce.settings,
      },
      clientHash,
      undelivered: pgUndelivered.requestId,
    })
    .from(pgChecks)
    .leftJoin(pgInForce, eq(pgInForce.id, pgChecks.inForce))
    .leftJoin(pgUndelivered, eq(pgUndelivered.requestId, requestId))
    .where(isOneOf(requestId, asked));
  const entries = new Map(
    rows.map((row) => [
      row.kept.requestId,
      {
        result: keptResult(row.kept),
        clientHash: row.clientHash?.toString('hex') ?? null,
        isDelivered: row.undelivered === null,
      },
    ]),
  );
  return ids.flatMap((id) => entries.get(id) ?? []);
}
