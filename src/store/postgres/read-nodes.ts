import { asc, count, countDistinct, gt, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { Fleet } from '#src/record/stats.ts';
import { askInTurn } from './ask-in-turn.ts';
import type { DatabaseUrl } from './database-url.ts';
import { createSession, type DatabaseConnection } from './session.ts';
import { pgNodes } from './tables.ts';

const TIMEOUT_MS = 10_000;

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
}

/** Every node that ever wrote to a public log, by name. */
export async function readNodes({ db }: DatabaseConnection<unknown>): Promise<KnownNode[]> {
  const rows = await db.select().from(pgNodes).orderBy(asc(pgNodes.name));
  return rows.map(({ name, version, modelVersion, listsVersion, startedAt, seenAt, aheadMs, waiting, setAside }) => ({
    name,
    version,
    model_version: modelVersion,
    lists_version: listsVersion,
    started_at: startedAt.toISOString(),
    seen_at: seenAt.toISOString(),
    ahead_seconds: aheadMs / 1000,
    waiting,
    set_aside: setAside,
  }));
}

/** Every node that ever wrote to a public log, of which the first database that answers is asked. */
export async function readNodesOf(urls: readonly DatabaseUrl[]): Promise<KnownNode[]> {
  const options = { urls, timeoutMs: TIMEOUT_MS, max: 1, makeReady: () => Promise.resolve() };
  await using session = askInTurn(createSession(options), urls.length);
  return await session.run(readNodes);
}

/** A node that has said nothing for so long is not among those that live: it says something every ten seconds. */
const SILENT_SECONDS = 60;

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
    .where(gt(pgNodes.seenAt, sql`now() - make_interval(secs => ${SILENT_SECONDS})`));
  return row ?? { nodes: 0, versions: 0, models: 0, lists: 0 };
}
