import { and, count, desc, eq, ne, sql, sum } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { TOP_BLOCKED } from '#src/checks/store/read/stats.ts';
import { FOLDED_NODE, PG_BLOCKED_KINDS, pgBlocked, pgBlockedSums } from '../schema/tables.ts';
import type { DatabaseConnection } from '../session/session.ts';

/** Maximum number of unfolded rows that are summed with each read; more are folded first. */
const MAX_OPEN_ROWS = 4000;

/** Maximum number of rows summed per read; the backlog of a migration is folded within minutes. */
const MOST_OPEN_ROWS = 200_000;

/**
 * Rows per fold. A fold locks its rows for tenths of a second; a node that counts the same name on the same day waits.
 */
const FOLDED_TOGETHER = 5000;

/** Number of candidate names. A name in neither top list is not among the most blocked. */
const CANDIDATES = 500;

/** Reads the most blocked names of all days and nodes, by kind. */
export async function readBlockedNames(db: BunSQLDatabase) {
  // Ordered by the index of these rows, so that the planner uses it whatever its statistics are.
  const rows = db
    .select({ kind: pgBlocked.kind, name: pgBlocked.name, checks: pgBlocked.checks })
    .from(pgBlocked)
    .where(ne(pgBlocked.node, FOLDED_NODE))
    .orderBy(pgBlocked.dayMs)
    .limit(MOST_OPEN_ROWS)
    .as('open');
  const all = sum(rows.checks).mapWith(Number);
  const open = await db
    .select({ kind: rows.kind, name: rows.name, checks: all })
    .from(rows)
    .groupBy(rows.kind, rows.name)
    .orderBy(desc(all))
    .limit(MAX_OPEN_ROWS);
  const top = async (kind: number) => {
    const counted = open.filter((one) => one.kind === kind);
    const folded = await foldedSums(db, kind, counted.slice(0, CANDIDATES));
    const checks = new Map(folded.map((one) => [one.name, one.checks]));
    for (const one of counted) {
      const known = checks.get(one.name);
      if (known !== undefined) checks.set(one.name, known + one.checks);
    }
    return [...checks]
      .map(([name, total]) => ({ name, checks: total }))
      .toSorted((a, b) => b.checks - a.checks || (a.name < b.name ? 1 : -1))
      .slice(0, TOP_BLOCKED);
  };
  return { sites: await top(PG_BLOCKED_KINDS.site), suffixes: await top(PG_BLOCKED_KINDS.suffix) };
}

/** Returns the folded sums of the leading names, and of those that lead among unfolded rows. */
async function foldedSums(db: BunSQLDatabase, kind: number, counted: readonly { readonly name: string }[]) {
  const { name, checks } = pgBlockedSums;
  const ofKind = eq(pgBlockedSums.kind, kind);
  const leading = await db
    .select({ name, checks })
    .from(pgBlockedSums)
    .where(ofKind)
    .orderBy(desc(checks), desc(name))
    .limit(CANDIDATES);
  const names = counted.map((one) => one.name);
  const others =
    names.length === 0
      ? []
      : await db
          .select({ name, checks })
          .from(pgBlockedSums)
          .where(
            and(
              ofKind,
              sql`${name} = any(array(select json_array_elements_text(${JSON.stringify(names)}::text::json)))`,
            ),
          );
  return [...names.map((one) => ({ name: one, checks: 0 })), ...leading, ...others];
}

/** Folds the nodes' counts if there are too many to sum with each read. Returns the number of folded rows. */
export async function foldBlocked({
  sql: client,
  db,
}: Pick<DatabaseConnection<unknown>, 'sql' | 'db'>): Promise<number> {
  const { dayMs, node } = pgBlocked;
  // A literal, so that every plan uses the index of these rows.
  const unfolded = db
    .select({ dayMs })
    .from(pgBlocked)
    .where(sql`${node} <> ${sql.raw(String(FOLDED_NODE))}`)
    .orderBy(dayMs)
    .limit(MAX_OPEN_ROWS + 1)
    .as('found');
  const [open] = await db.select({ rows: count() }).from(unfolded);
  if ((open?.rows ?? 0) <= MAX_OPEN_ROWS) return 0;
  const [done]: { folded: number }[] = await client.unsafe('select fold_blocked($1) as folded', [FOLDED_TOGETHER]);
  return done?.folded ?? 0;
}
