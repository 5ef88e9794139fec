import { and, asc, between, eq, getTableColumns, gt, isNull, max, min, Param, Placeholder, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import {
  activeSettings,
  blocked,
  checkDomains,
  checks as checksTable,
  counts,
  deletions,
  domainBlocks,
  lastDeleted,
  messages,
} from '../file/schema.ts';
/** Text of a statement, and the names of its values in the order of its placeholders. */
export interface Statement {
  readonly text: string;
  readonly names: readonly string[];
}

/** A statement with the types of its values and rows. */
interface TypedStatement<Values extends object, Row> extends Statement {
  /** Never present. */
  readonly types?: { readonly values: Values; readonly row: Row };
}

type StatementTypes = { [Name in StatementName]: NonNullable<ReturnType<typeof buildStatements>[Name]['types']> };

/** Name of one of {@link buildStatements}. */
export type StatementName = keyof ReturnType<typeof buildStatements>;

/** Values of a statement by their names. */
export type StatementValues<Name extends StatementName> = StatementTypes[Name]['values'];

/** Row of a statement, with the names and values that the file has. */
export type StatementRow<Name extends StatementName> = StatementTypes[Name]['row'];

/** No value. */
type None = Readonly<Record<never, never>>;

/** Values of a new row; none may be missing. */
type RowOf<Table extends SQLiteTable> = Required<Table['$inferInsert']>;

/** A check by its position. */
interface StoredPlace {
  readonly id: number;
  readonly request_id: Uint8Array;
}

/**
 * Writes the statements of commits, starts and upkeep. `bun .ci/readme.ts` stores them in `statements.json`, so that neither
 * a start nor a commit waits for Drizzle to write them; a macro would do the same, but Bun 1.4 does not always expand it in
 * tests (oven-sh/bun#18646). Columns keep the names that they have in the file.
 */
export function buildStatements(checks = checksTable) {
  const db = drizzle(async () => ({ rows: [] }));
  const { id, requestId, decision, host, url } = checks;
  const named = (name: string) => sql.placeholder(name);
  const selectCheck = () => db.select({ id, requestId }).from(checks);
  return {
    newestId: textOf<None, { id: number | null }>(db.select({ id: max(id).as('id') }).from(checks)),
    oldestId: textOf<None, { id: number | null }>(db.select({ id: min(id).as('id') }).from(checks)),
    newestCheck: textOf<None, StoredPlace>(
      selectCheck().where(eq(id, sql`(${db.select({ id: max(id) }).from(checks)})`)),
    ),
    oldestCheck: textOf<None, StoredPlace>(
      selectCheck().where(eq(id, sql`(${db.select({ id: min(id) }).from(checks)})`)),
    ),
    checkAt: textOf<{ id: number }, StoredPlace>(selectCheck().where(eq(id, named('id')))),
    checkWith: textOf<{ decision: number; requestId: Uint8Array }, StoredPlace>(
      selectCheck().where(and(eq(decision, named('decision')), eq(requestId, named('requestId')))),
    ),
    checksAfter: textOf<{ id: number; limit: number }, StoredPlace>(
      selectCheck()
        .where(gt(id, named('id')))
        .orderBy(asc(id))
        .limit(named('limit')),
    ),
    oldestMessageId: textOf<None, { id: number | null }>(db.select({ id: min(messages.id).as('id') }).from(messages)),
    newestMessageId: textOf<None, { id: number | null }>(db.select({ id: max(messages.id).as('id') }).from(messages)),
    indexedChecks: textOf<
      { first: number; last: number },
      { id: number; decision: number; host: string | null; url: string }
    >(
      db
        .select({ id, decision, host, url })
        .from(checks)
        .where(between(id, named('first'), named('last'))),
    ),
    insertCheck: textOf<RowOf<typeof checksTable>, never>(db.insert(checks).values(placeholdersOf(checks))),
    bumpCount: textOf<RowOf<typeof counts>, never>(
      db
        .insert(counts)
        .values(placeholdersOf(counts))
        .onConflictDoUpdate({
          target: [counts.measure, counts.periodStartMs, counts.bucket],
          set: { checks: sql`${counts.checks} + excluded.checks` },
        }),
    ),
    bumpBlocked: textOf<RowOf<typeof blocked>, never>(
      db
        .insert(blocked)
        .values(placeholdersOf(blocked))
        .onConflictDoUpdate({
          target: [blocked.kind, blocked.name],
          set: { checks: sql`${blocked.checks} + excluded.checks` },
        }),
    ),
    settingsWith: textOf<{ settings: string }, { id: number }>(
      db
        .select({ id: activeSettings.id })
        .from(activeSettings)
        .where(eq(activeSettings.settings, named('settings'))),
    ),
    insertSettings: textOf<{ settings: string }, never>(
      db.insert(activeSettings).values({ settings: named('settings') }),
    ),
    lastDeleted: textOf<None, { check_id: number }>(db.select({ checkId: lastDeleted.checkId }).from(lastDeleted)),
    setLastDeleted: textOf<RowOf<typeof lastDeleted>, never>(
      db
        .insert(lastDeleted)
        .values(placeholdersOf(lastDeleted))
        .onConflictDoUpdate({ target: lastDeleted.row, set: { checkId: sql`excluded.check_id` } }),
    ),
    touchLastDeleted: textOf<None, never>(db.update(lastDeleted).set({ checkId: sql`${lastDeleted.checkId}` })),
    pendingDeletions: textOf<None, { id: number }>(
      db.select({ id: deletions.id }).from(deletions).where(isNull(deletions.doneAtMs)).orderBy(deletions.id),
    ),
    newestBlock: textOf<None, { block: number | null }>(
      db.select({ block: max(domainBlocks.block).as('block') }).from(domainBlocks),
    ),
    blockAt: textOf<{ block: number }, { block: number }>(
      db
        .select({ block: domainBlocks.block })
        .from(domainBlocks)
        .where(eq(domainBlocks.block, named('block'))),
    ),
    insertCell: textOf<RowOf<typeof checkDomains>, never>(db.insert(checkDomains).values(placeholdersOf(checkDomains))),
    removeCells: textOf<{ first: number; last: number }, never>(
      db.delete(checkDomains).where(between(checkDomains.cell, named('first'), named('last'))),
    ),
  };
}

/** Names the value of each column as the schema does. */
function placeholdersOf<Table extends SQLiteTable>(table: Table): Table['$inferInsert'] {
  const names = Object.keys(getTableColumns(table));
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Table['$inferInsert'];
}

/** Part of a query of Drizzle. */
interface Written {
  toSQL(): { readonly sql: string; readonly params: readonly unknown[] };
}

function textOf<Values extends object, Row>(query: Written): TypedStatement<Values, Row> {
  const { sql: text, params } = query.toSQL();
  return { text, names: params.map(nameOf) };
}

function nameOf(param: unknown): string {
  const value = param instanceof Param ? param.value : param;
  if (!(value instanceof Placeholder)) throw new Error('a statement has a value without a name');
  return String(value.name);
}
