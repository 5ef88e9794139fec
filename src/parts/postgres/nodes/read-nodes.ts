import { and, asc, count, countDistinct, eq, not, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { Fleet } from '#src/checks/record/stats.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { mapWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { pgNodes } from '../schema/tables.ts';
import { createSession, type DatabaseConnection, withFailover } from '../session/session.ts';
import { type DifferingNode, differing, type NodeDifference } from './node-differences.ts';
import { SILENT_SECONDS } from './nodes.ts';

const TIMEOUT_MS = 10_000;

const IS_ALIVE = sql<boolean>`${pgNodes.seenAt} > now() - make_interval(secs => ${SILENT_SECONDS})`;

/** A node with its last reported status. */
export interface KnownNode {
  readonly name: string;
  readonly version: string;
  /** Empty until its models were loaded. */
  readonly model_version: string;
  /** Version of the operator's lists; empty if there are none. */
  readonly lists_version: string;
  readonly started_at: string;
  readonly seen_at: string;
  /** Clock offset against the database, in seconds; positive if it is ahead. */
  readonly ahead_seconds: number;
  /** Number of its checks that were not in their databases yet. */
  readonly waiting: number;
  /** Number of its answered checks that their databases refused. */
  readonly set_aside: number;
  /** Fingerprints by property: client_key, keys, brands, packs, settings. */
  readonly prints: Readonly<Record<string, string>>;
  /** True if it sent a heartbeat within the last minute. */
  readonly is_alive: boolean;
  /** Properties in which it differs from most live nodes. */
  readonly differs: readonly NodeDifference[];
}

/** Reads all nodes that ever wrote to a public log, by name. */
export async function readNodes({ db }: DatabaseConnection<unknown>): Promise<KnownNode[]> {
  const rows = await db.select({ row: pgNodes, isAlive: IS_ALIVE }).from(pgNodes).orderBy(asc(pgNodes.name));
  const nodes = rows.map(({ row, isAlive }) => ({
    name: row.name,
    version: row.version,
    model_version: row.modelVersion,
    lists_version: row.listsVersion,
    started_at: row.startedAt.toISOString(),
    seen_at: row.seenAt.toISOString(),
    ahead_seconds: row.aheadMs / 1000,
    waiting: row.waiting,
    set_aside: row.setAside,
    prints: readPrints(row.prints),
    is_alive: isAlive,
  })) satisfies DifferingNode[];
  return nodes.map((node) => ({ ...node, differs: differing(node, nodes) }));
}

const arePrints = mapWith(textLike(/^[a-z\d]{0,64}$/));

function readPrints(written: string): Readonly<Record<string, string>> {
  const prints = parseJson(written);
  return arePrints(prints) ? prints : {};
}

/** Removes a stopped node from the database; its counts stay. */
export async function removeNode(
  { db }: DatabaseConnection<unknown>,
  name: string,
): Promise<'removed' | 'unknown' | 'alive'> {
  const isNode = eq(pgNodes.name, name);
  const [found] = await db.select({ isAlive: IS_ALIVE }).from(pgNodes).where(isNode);
  if (!found) return 'unknown';
  const removed = await db
    .delete(pgNodes)
    .where(and(isNode, not(IS_ALIVE)))
    .returning({ id: pgNodes.id });
  return removed.length === 0 ? 'alive' : 'removed';
}

/** Reads all nodes from the first database that answers. */
export async function readNodesOf(urls: readonly DatabaseUrl[]): Promise<KnownNode[]> {
  const options = { urls, timeoutMs: TIMEOUT_MS, max: 1, prepare: () => Promise.resolve() };
  await using session = withFailover(createSession(options), urls);
  return await session.run(readNodes);
}

/** Summarizes the live nodes. */
export async function readFleet(db: BunSQLDatabase): Promise<Fleet> {
  const [row] = await db
    .select({
      nodes: count(),
      versions: countDistinct(pgNodes.version),
      models: countDistinct(pgNodes.modelVersion),
      lists: countDistinct(pgNodes.listsVersion),
    })
    .from(pgNodes)
    .where(IS_ALIVE);
  return row ?? { nodes: 0, versions: 0, models: 0, lists: 0 };
}
