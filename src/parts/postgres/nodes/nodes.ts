import type { SQL } from 'bun';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sql';
import type { NodeConfiguration } from '#src/checks/store/database-access.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import { pgNodes } from '../schema/tables.ts';

/** Clock offset above which checks end up in an unexpected order, which is logged. */
const REPORTED_OFFSET_MS = 2000;

/** Seconds without a heartbeat after which a node is not alive; heartbeats are sent every ten seconds. */
export const SILENT_SECONDS = 60;

/** Number of registrations by a foreign process before it counts as a running node: a command registers once. */
const FOREIGN_RUNS = 2;

/** Fingerprinted properties that all nodes should share, besides version, model and lists. */
export const PRINTED = ['client_key', 'keys', 'brands', 'packs', 'settings'] as const;

/** Fingerprints of the shared properties, 12 hexadecimal digits each; empty if a node lacks one. */
export type NodePrints = Readonly<Record<(typeof PRINTED)[number], string>>;

/** Status that a node reports. */
export interface NodeStatus {
  readonly name: string;
  readonly version: string;
  /** Id of this run of a service; null for a command. */
  readonly run: string | null;
  /** Its configuration; null until it is known. */
  readonly configuration: () => NodeConfiguration | null;
  /** Number of its checks that are not in their databases yet. */
  readonly waiting: () => number;
  /** Number of its answered checks that their databases refused. */
  readonly setAside: () => number;
  readonly clock: Clock;
  /** Called with each answer of the database. */
  readonly onRegistered?: (signed: RegisteredNode) => void;
  /** The problem with the database's clock, as the end of a sentence; null if there is none. */
  readonly databaseClock?: () => string | null;
}

/** Registration of a node in the database. */
export interface RegisteredNode {
  /** Permanent number of the node's name, under which it counts. */
  readonly id: number;
  /** Clock offset of the node against the database, in milliseconds; positive if it is ahead. */
  readonly aheadMs: number;
  /** The same of the other nodes that are alive. */
  readonly othersAheadMs: readonly number[];
  /** The previous run under this name; null if there was none. */
  readonly previousRun: string | null;
}

/** Updates a node's status in the database. Only a new name gets a new number. */
export async function registerNode(client: SQL, status: NodeStatus): Promise<RegisteredNode> {
  const { name, version, run, configuration, waiting, setAside, clock } = status;
  const db = drizzle({ client });
  const now = sql`now()`;
  const aheadMs = sql`${clock.now()}::float8 - extract(epoch from clock_timestamp()) * 1000`;
  const said = {
    version,
    ...configurationColumns(configuration()),
    waiting: waiting(),
    setAside: setAside(),
    seenAt: now,
    aheadMs,
    ...(run !== null && { run }),
  };
  // A subquery in `returning` sees the row before the update.
  const previousRun = sql<string | null>`(select before.run::text from nodes before where before.name = ${name})`;
  const others = sql<string | null>`(select string_agg(other.ahead_ms::text, ' ') from nodes other
    where other.name <> ${name} and other.seen_at > now() - make_interval(secs => ${SILENT_SECONDS}))`;
  const update = () =>
    db
      .update(pgNodes)
      .set(said)
      .where(eq(pgNodes.name, name))
      .returning({ id: pgNodes.id, aheadMs: pgNodes.aheadMs, previousRun, others });
  let [row] = await update();
  if (!row) {
    const values = { name, modelVersion: '', listsVersion: '', prints: '{}', ...said, startedAt: now };
    await db.insert(pgNodes).values(values).onConflictDoNothing({ target: pgNodes.name });
    [row] = await update();
  }
  if (!row) throw new Error('the database took a node and gave it no number');
  const { others: joined, ...own } = row;
  const registered = { ...own, othersAheadMs: joined === null ? [] : joined.split(' ').map(Number) };
  status.onRegistered?.(registered);
  return registered;
}

function configurationColumns(configuration: NodeConfiguration | null) {
  if (configuration === null) return {};
  const { prints = {}, ...versions } = configuration;
  return { ...versions, prints: JSON.stringify(prints) };
}

/** Findings of a service's heartbeats. */
export interface HeartbeatWatch {
  readonly note: (signed: RegisteredNode) => void;
  /** Why this node must refuse checks, as the end of a sentence; null if it need not. */
  refusal(): string | null;
  /** Why this node must not write to the database, as the end of a sentence; null if it may. */
  databaseClock(): string | null;
  /** Notices for the operator, as the public may know them. */
  notices(): readonly Notice[];
}

const NAME_TAKEN = notice('node_name_taken', 'Another node has the name of this one.');

/**
 * Watches a node's clock offset, and if another process uses its name.
 *
 * @param maxOffsetMs clock offset beyond which checks would fall into wrong days
 */
export function createHeartbeatWatch(
  run: string,
  maxOffsetMs: number,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): HeartbeatWatch {
  const comparison = createClockComparison(maxOffsetMs, clock);
  let offsetMs = 0;
  let wrong: WrongClock = 'none';
  let isReported = false;
  let foreign = 0;
  return {
    note({ aheadMs, othersAheadMs, previousRun }) {
      offsetMs = aheadMs;
      wrong = comparison.compare(aheadMs, othersAheadMs);
      const isTelling = Math.abs(aheadMs) > REPORTED_OFFSET_MS;
      if (isTelling && !isReported) logger.warn('node.clock_differs', { ahead_seconds: aheadMs / 1000 });
      isReported = isTelling;
      foreign = previousRun === null || previousRun === run ? 0 : foreign + 1;
      if (foreign === FOREIGN_RUNS) logger.warn('node.name_taken', { advice: 'give each node a node_name of its own' });
    },
    refusal: () => (wrong === 'node' ? clockProblem('this node', offsetMs, 'the database') : null),
    databaseClock: () => (wrong === 'database' ? clockProblem('the database', -offsetMs, 'the nodes') : null),
    notices: () => (foreign < FOREIGN_RUNS ? [] : [NAME_TAKEN]),
  };
}

function clockProblem(whose: string, aheadMs: number, other: string): string {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return `the clock of ${whose} is ${minutes} minutes ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${other}`;
}

/** Which clock is wrong: none, that of this node, or that of the database. */
type WrongClock = 'none' | 'node' | 'database';

/**
 * Creates a comparison. A node that agreed with the database, and whose own clock has not jumped since, knows that the database's
 * has. Otherwise the majority of nodes and database decides; in doubt, the node is wrong.
 *
 * @param maxOffsetMs offset up to which clocks agree
 */
export function createClockComparison(maxOffsetMs: number, clock: Clock) {
  /** The wall clock less the monotonic one when this node and the database last agreed. */
  let agreedMs: number | null = null;
  const agree = (oneMs: number, otherMs: number) => Math.abs(oneMs - otherMs) <= maxOffsetMs;
  return {
    /**
     * Compares the clocks at an answer of the database.
     *
     * @param aheadMs offset of this node against the database, in milliseconds; positive if it is ahead
     * @param othersAheadMs the same of other nodes that are alive
     */
    compare(aheadMs: number, othersAheadMs: readonly number[]) {
      const ownMs = clock.now() - clock.monotonicMs();
      if (agree(aheadMs, 0)) {
        agreedMs = ownMs;
        return 'none';
      }
      if (agreedMs !== null) return agree(ownMs, agreedMs) ? 'database' : 'node';
      const withNode = othersAheadMs.filter((otherMs) => agree(otherMs, aheadMs)).length;
      const withDatabase = othersAheadMs.filter((otherMs) => agree(otherMs, 0)).length;
      return withNode > withDatabase ? 'database' : 'node';
    },
  };
}
