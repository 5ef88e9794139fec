import type { DatabaseLog } from '#src/checks/store/scan-log.ts';
import { type Clock, MINUTE_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import { repeated, withTimeout } from '#src/core/base/timers.ts';
import { databaseFaultOf, sqlStateOf, withoutStatement } from '#src/parts/postgres/session/fault.ts';
import { createContentSeal, SealError } from '#src/parts/postgres/shared-documents.ts';
import type { FleetPlace, SharedSet } from './last-sync.ts';
import { onFleet, stepFor, syncShared } from './sync-shared.ts';

/** Poll interval for versions: one small statement over an existing connection. */
const POLL_MS = 1000;

/** Maximum wait at a start for the first answer, in milliseconds; then the node continues with its copy. */
const FIRST_MS = 5000;

/** Time after which an unreachable database is reported in a notice. */
const LONG_MS = MINUTE_MS;

/** Follows the fleet until it is disposed of. */
export interface FollowedSets extends AsyncDisposable {
  /** Notices for the public if the node could not follow the fleet for long. */
  notices(): readonly Notice[];
  /** Why this node must not serve, as a sentence; null if it may: without the key of the fleet it has neither lists nor keys. */
  problem(): string | null;
  /** Synchronizes once more, at once. */
  now(): Promise<void>;
}

/** Dependencies of {@link followShared}. */
export interface FollowingTools {
  readonly databases: Pick<DatabaseLog, 'sharedVersions'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Logger;
  /** Makes the service reload what has this name. */
  readonly reload: (name: string) => Promise<unknown>;
}

/**
 * Synchronizes parts of a node's data directory with the database, at most a second behind, and publishes local
 * changes. While the database is unreachable, the copy stays active. Resolves once the first answer is applied or late.
 */
export async function followShared(
  sets: readonly SharedSet[],
  place: FleetPlace,
  { databases, clock, logger, reload }: FollowingTools,
): Promise<FollowedSets> {
  const seal = createContentSeal(place.clientKey);
  const problems = new Map<string, FollowProblem>();

  async function followOne(set: SharedSet, versions: Awaited<ReturnType<typeof databases.sharedVersions>>) {
    if (stepFor(set, { seal, place }, versions.get(set.name) ?? null) === null) return;
    const { did } = await onFleet(place, set.name, (fleet) => syncShared(set, fleet), logger);
    if (did === 'adopted') await reload(set.name);
  }

  async function noting<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    try {
      const done = await work();
      problems.delete(name);
      return done;
    } catch (error) {
      const message = problemOf(error);
      const before = problems.get(name);
      if (message !== before?.message)
        logger.warn('fleet.not_read', { name, problem: message, state: sqlStateOf(error) });
      const isOfKey = withoutStatement(error) instanceof SealError;
      problems.set(name, { message, isOfKey, sinceMs: before?.sinceMs ?? clock.monotonicMs() });
      return null;
    }
  }

  const following = repeated(POLL_MS, async () => {
    const versions = await noting('versions', () => databases.sharedVersions());
    if (versions === null) return;
    for (const set of sets) await noting(set.name, () => followOne(set, versions));
  });
  await withTimeout(following.now(), FIRST_MS).catch(() => {});
  return {
    notices() {
      const nowMs = clock.monotonicMs();
      const isLong = [...problems.values()].some(({ sinceMs }) => nowMs - sinceMs >= LONG_MS);
      return isLong ? [NOT_FOLLOWED] : [];
    },
    problem: () => ([...problems.values()].some(({ isOfKey }) => isOfKey) ? OTHER_KEY : null),
    now: following.now,
    [Symbol.asyncDispose]: following.stop,
  };
}

interface FollowProblem {
  readonly message: string;
  /** True if the content was sealed with another key. */
  readonly isOfKey: boolean;
  readonly sinceMs: number;
}

const OTHER_KEY =
  'This node cannot read what the nodes share: its client_key_file differs from that of the fleet. Copy it from another node.';

/** Describes an error without the values of a statement. */
function problemOf(error: unknown): string {
  const cause = withoutStatement(error);
  return databaseFaultOf(error)?.matter ?? (cause instanceof Error ? cause.message : String(cause));
}

const NOT_FOLLOWED = notice(
  'fleet_not_followed',
  'This node could not read for over a minute what the nodes share, and goes on with its copy: see fleet.not_read in its log.',
);
