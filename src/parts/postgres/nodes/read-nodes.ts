import { and, asc, count, countDistinct, eq, not, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { Fleet } from '#src/checks/record/stats.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { mapWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { pgNodes } from '../schema/tables.ts';
import { createSession, type DatabaseConnection, withFailover } from '../session/session.ts';
import { type PRINTED, SILENT_SECONDS } from './nodes.ts';

/** Properties in which a node may differ from others. */
export type NodeDifference = 'version' | 'model' | 'lists' | (typeof PRINTED)[number];

/** Compared properties of a node. */
export type DifferingNode = Pick<
  KnownNode,
  'version' | 'model_version' | 'lists_version' | 'prints' | 'started_at' | 'is_alive'
>;

const COMPARED: Readonly<Record<NodeDifference, (node: DifferingNode) => string | undefined>> = {
  version: ({ version }) => version,
  model: ({ model_version: model }) => model,
  lists: ({ lists_version: lists }) => lists,
  client_key: ({ prints }) => prints['client_key'],
  keys: ({ prints }) => prints['keys'],
  brands: ({ prints }) => prints['brands'],
  packs: ({ prints }) => prints['packs'],
  settings: ({ prints }) => prints['settings'],
};

/**
 * Returns in what a node differs from most live nodes. Of two equally frequent values, the one of the node that has run
 * for longer wins. A stopped node differs in nothing.
 */
export function differing(node: DifferingNode, nodes: readonly DifferingNode[]): NodeDifference[] {
  if (!node.is_alive) return [];
  const alive = nodes.filter((one) => one.is_alive).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
  const names = Object.keys(COMPARED) as NodeDifference[];
  return names.filter((name) => {
    const read = COMPARED[name];
    const own = read(node);
    return own !== undefined && own !== mostFrequent(alive.map(read));
  });
}

/** Returns the most frequent text, the first of several; undefined if there is none. */
function mostFrequent(texts: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}

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
  /** ISO 8601, so that the texts sort by time. */
  readonly started_at: string;
  readonly seen_at: string;
  /** Clock offset against the database, in seconds; positive if it is ahead. */
  readonly ahead_seconds: number;
  /** Number of its checks that were not in their databases yet. */
  readonly waiting: number;
  /** Number of its answered checks that their databases refused. */
  readonly set_aside: number;
  /** Fingerprints by property: client_key, keys, brands, packs, settings; empty for a node of an older version. */
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
