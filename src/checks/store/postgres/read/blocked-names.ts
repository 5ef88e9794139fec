import { and, desc, eq, ne, sql, sum } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { Stats } from '#src/checks/record/stats.ts';
import { TOP_BLOCKED } from '../../read/stats.ts';
import type { DatabaseConnection } from '../session/session.ts';
import { PG_BLOCKED_KINDS, pgBlocked, pgBlockedSums, TOGETHER } from '../schema/tables.ts';

/** What nodes counted since the last fold is summed at each look; beyond so many rows it is folded first. */
const MAX_OPEN_ROWS = 4000;

/** No look sums more of them; a backlog of a migration is folded within minutes. */
const MOST_OPEN_ROWS = 200_000;

/** One fold holds its rows for tenths of a second; a node that counts the same name on the same day waits for that. */
const FOLDED_TOGETHER = 5000;

/** The names whose sums are looked at. One that is in neither of both tops is not among the most blocked. */
const CANDIDATES = 500;

/** Most blocked names by kind. */
export interface BlockedNames {
  readonly sites: Stats['blocked_sites'];
  readonly suffixes: Stats['blocked_suffixes'];
}

/** Reads the names that were blocked most often on all days, by all nodes. */
export async function readBlockedNames(db: BunSQLDatabase): Promise<BlockedNames> {
  // In the order of the index of these rows, which the planner then uses, whatever its statistics say.
  const rows = db
    .select({ kind: pgBlocked.kind, name: pgBlocked.name, checks: pgBlocked.checks })
    .from(pgBlocked)
    .where(ne(pgBlocked.node, TOGETHER))
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

/** The folded sums of the names that lead there, and of those that lead among what is not folded yet. */
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

/** Folds what nodes counted, where that is so much that each look would take long. Returns how many rows it folded. */
export async function foldBlocked({ sql }: Pick<DatabaseConnection<unknown>, 'sql'>): Promise<number> {
  const [open]: { rows: number }[] = await sql.unsafe(
    `select count(*)::int4 as rows from (select from blocked where node <> 0 order by day_ms limit ${MAX_OPEN_ROWS + 1}) as found`,
  );
  if ((open?.rows ?? 0) <= MAX_OPEN_ROWS) return 0;
  const [done]: { folded: number }[] = await sql.unsafe('select fold_blocked($1) as folded', [FOLDED_TOGETHER]);
  return done?.folded ?? 0;
}
