import type { SQL } from 'bun';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sql';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { pgNodes } from '../schema/tables.ts';

/** Clocks that differ by more than this put checks in an order that nobody expects. */
const REPORTED_OFFSET_MS = 2000;

/** How often a foreign process must sign in between before it is one that goes on: a command does it once. */
const FOREIGN_RUNS = 2;

/** What should be the same on all nodes beside version, model and lists. */
export const PRINTED = ['client_key', 'keys', 'brands', 'packs', 'settings'] as const;

/** Fingerprints of what should be the same on all nodes, 12 hexadecimal digits each; empty where a node has none of it. */
export type NodePrints = Readonly<Record<(typeof PRINTED)[number], string>>;

/** What a node judges by. */
export interface NodeJudgement {
  readonly modelVersion: string;
  /** Of the operator's own lists; empty where there are none. */
  readonly listsVersion: string;
  /** None of a command. */
  readonly prints?: NodePrints;
}

/** What a node says of itself. */
export interface NodeSign {
  readonly name: string;
  readonly version: string;
  /** The id of this run of a service; null for a command. */
  readonly run: string | null;
  /** What it judges by; null while that is not known. */
  readonly judgement: () => NodeJudgement | null;
  /** How many of its checks are not in their databases yet. */
  readonly waiting: () => number;
  /** How many of its answered checks their databases refused. */
  readonly setAside: () => number;
  readonly clock: Clock;
  /** Called with each answer of the database. */
  readonly onSigned?: (signed: SignedIn) => void;
}

/** What the database knows of a node. */
export interface SignedIn {
  /** The number under which the node counts: that of its name, for good. */
  readonly id: number;
  /** Milliseconds by which the clock of the node is ahead of the database's. */
  readonly aheadMs: number;
  /** The run that signed in before under this name; null for none. */
  readonly previousRun: string | null;
}

/** Updates what the database knows of a node. Only a name that it does not know takes a new number. */
export async function signIn(client: SQL, sign: NodeSign): Promise<SignedIn> {
  const { name, version, run, judgement, waiting, setAside, clock } = sign;
  const db = drizzle({ client });
  const now = sql`now()`;
  const aheadMs = sql`${clock.now()}::float8 - extract(epoch from clock_timestamp()) * 1000`;
  const said = {
    version,
    ...judgedBy(judgement()),
    waiting: waiting(),
    setAside: setAside(),
    seenAt: now,
    aheadMs,
    ...(run !== null && { run }),
  };
  // A subquery in `returning` sees the row as it was before.
  const previousRun = sql<string | null>`(select before.run::text from nodes before where before.name = ${name})`;
  const update = () =>
    db
      .update(pgNodes)
      .set(said)
      .where(eq(pgNodes.name, name))
      .returning({ id: pgNodes.id, aheadMs: pgNodes.aheadMs, previousRun });
  let [row] = await update();
  if (!row) {
    const values = { name, modelVersion: '', listsVersion: '', prints: '{}', ...said, startedAt: now };
    await db.insert(pgNodes).values(values).onConflictDoNothing({ target: pgNodes.name });
    [row] = await update();
  }
  if (!row) throw new Error('the database took a node and gave it no number');
  sign.onSigned?.(row);
  return row;
}

function judgedBy(judgement: NodeJudgement | null) {
  if (judgement === null) return {};
  const { prints = {}, ...versions } = judgement;
  return { ...versions, prints: JSON.stringify(prints) };
}

/** What a service learns with each heartbeat. */
export interface HeartbeatWatch {
  readonly note: (signed: SignedIn) => void;
  /** Why no check of this node may be kept, as the end of a sentence; null where they may. */
  refusal(): string | null;
  /** What the operator should know, in sentences that everybody may read. */
  notices(): readonly string[];
}

/**
 * Watches the clock of a node, and whether another process signs in under its name.
 *
 * @param maxOffsetMs offset of the clock beyond which the node refuses checks, which would go into the days of others
 */
export function createHeartbeatWatch(run: string, maxOffsetMs: number, logger: Logger): HeartbeatWatch {
  let offsetMs = 0;
  let isReported = false;
  let foreign = 0;
  return {
    note({ aheadMs, previousRun }) {
      offsetMs = aheadMs;
      const isTelling = Math.abs(aheadMs) > REPORTED_OFFSET_MS;
      if (isTelling && !isReported) logger.warn('node.clock_differs', { ahead_seconds: aheadMs / 1000 });
      isReported = isTelling;
      foreign = previousRun === null || previousRun === run ? 0 : foreign + 1;
      if (foreign === FOREIGN_RUNS) logger.warn('node.name_taken', { advice: 'give each node a node_name of its own' });
    },
    refusal() {
      if (Math.abs(offsetMs) <= maxOffsetMs) return null;
      const minutes = Math.round(Math.abs(offsetMs) / 60_000);
      return `the clock of this node is ${minutes} minutes ${offsetMs > 0 ? 'ahead of' : 'behind'} that of the database`;
    },
    notices: () => (foreign < FOREIGN_RUNS ? [] : ['Another node has the name of this one.']),
  };
}
