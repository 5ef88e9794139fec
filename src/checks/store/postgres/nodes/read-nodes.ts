import { and, asc, count, countDistinct, eq, not, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { mapWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import type { Fleet } from '#src/checks/record/stats.ts';
import { askInTurn } from '../session/ask-in-turn.ts';
import type { DatabaseUrl } from '../session/database-url.ts';
import { type DifferingNode, differing, type NodeDifference } from './node-differences.ts';
import { createSession, type DatabaseConnection } from '../session/session.ts';
import { pgNodes } from '../schema/tables.ts';

const TIMEOUT_MS = 10_000;

/** A node that has said nothing for so long is not among those that live: it says something every ten seconds. */
const SILENT_SECONDS = 60;

const IS_ALIVE = sql<boolean>`${pgNodes.seenAt} > now() - make_interval(secs => ${SILENT_SECONDS})`;

/** A node, as it last said of itself. */
export interface KnownNode {
  readonly name: string;
  readonly version: string;
  /** Empty until its models were loaded. */
  readonly model_version: string;
  /** Of the operator's own lists; empty where there are none. */
  readonly lists_version: string;
  readonly started_at: string;
  readonly seen_at: string;
  /** By how much its clock was ahead of the database's. */
  readonly ahead_seconds: number;
  /** How many of its checks were not in their databases yet. */
  readonly waiting: number;
  /** How many of its answered checks their databases refused. */
  readonly set_aside: number;
  /** Fingerprints by what they are of: client_key, keys, brands, packs, settings. */
  readonly prints: Readonly<Record<string, string>>;
  /** Whether it sent a heartbeat within the last minute. */
  readonly is_alive: boolean;
  /** In what it differs from most nodes that are alive. */
  readonly differs: readonly NodeDifference[];
}

/** Every node that ever wrote to a public log, by name. */
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

/**
 * Removes what the database knows of a node that has stopped. What it counted stays counted.
 *
 * @returns `unknown` if there is none of this name, `alive` if it sent a heartbeat within the last minute
 */
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

/** Every node that ever wrote to a public log, of which the first database that answers is asked. */
export async function readNodesOf(urls: readonly DatabaseUrl[]): Promise<KnownNode[]> {
  const options = { urls, timeoutMs: TIMEOUT_MS, max: 1, makeReady: () => Promise.resolve() };
  await using session = askInTurn(createSession(options), urls.length);
  return await session.run(readNodes);
}

/** What there is to say of the nodes that live. */
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
