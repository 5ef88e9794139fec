import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import { repeated } from '#src/core/base/timers.ts';
import { type Feed, type FeedName, type FeedState, NO_FEEDS, readFeedState, writeFeedState } from './feed.ts';
import type { FeedTask, MadeFeeds } from './make-feeds.ts';

/** The feeds of a service. Disposing of it ends making them. */
export interface Feeds extends AsyncDisposable {
  /**
   * Returns the latest version of a feed; null if none could be made. A feed is made when it is pulled first, and from then on
   * whenever the lists change. While that takes, and if the lists cannot be read, its last version stays.
   */
  pull(name: FeedName): Promise<Feed | null>;
  /** Returns why the feeds do not change; empty if they do. */
  notices(): readonly Notice[];
}

/** Inputs of the feeds, and their problems. */
export interface FeedSource extends Pick<FeedTask, 'settings' | 'digests' | 'source' | 'clockFloorMs'> {
  /** Compared by identity: other members mean that the feeds may change. */
  readonly stamp: readonly unknown[];
  /** Why no feed can be made of it, for the operator; null if one can. */
  readonly fault: string | null;
  /** Interval in which feeds may change without a change of the lists, in milliseconds; null for never. */
  readonly everyMs: number | null;
}

/** Dependencies of the feeds. */
interface FeedParts {
  readonly dataDir: string;
  readonly isOn: () => boolean;
  readonly source: () => FeedSource;
  /** Makes feeds in another thread. Throws OperationError if a list cannot be read. */
  readonly make: (task: FeedTask) => Promise<MadeFeeds>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** Interval in which the source is examined, in milliseconds; default one second. */
  readonly pollMs?: number;
}

const POLL_MS = 1000;

/** Time after which making is tried again without a change; seconds of a processor for many entries. */
const RETRY_MS = 10_000;

/** Time after which a feed that is no longer pulled is not made again, in milliseconds. */
const FORGET_MS = DAY_MS;

/** Least time between two versions because of expiries alone: in long lists an entry expires every few seconds. */
const EXPIRY_MS = 60_000;

const STALE = notice('feeds_stale', 'The feeds cannot be made: they keep their last version.');
const MISSING = notice('feeds_missing', 'The feeds cannot be made: they answer 503.');

/** A task and its inputs. */
interface Making {
  readonly stamp: readonly unknown[];
  readonly atMs: number;
  readonly endsMs: number | null;
}

/** Opens the feeds; none is made before it is pulled. */
export function openFeeds({ dataDir, isOn, source, make, clock, logger, pollMs = POLL_MS }: FeedParts): Feeds {
  /** Last pull of each feed, by the monotonic clock. */
  const wanted = new Map<FeedName, number>();
  const made = new Map<FeedName, Feed>();
  let state = readState(dataDir, logger);
  let making: Making | null = null;
  let failure: { readonly problem: string; readonly atMs: number; readonly stamp: readonly unknown[] } | null = null;
  let isClosed = false;

  function fail(problem: string, stamp: readonly unknown[]): void {
    if (failure?.problem !== problem) logger.error('feeds.kept', { problem, feeds: [...made.keys()] });
    failure = { problem, atMs: clock.monotonicMs(), stamp };
  }

  function isDue({ stamp, everyMs }: FeedSource): boolean {
    const nowMs = clock.monotonicMs();
    if (failure !== null) return !isSame(failure.stamp, stamp) || nowMs - failure.atMs >= RETRY_MS;
    if (making === null || !isSame(making.stamp, stamp)) return true;
    const ageMs = nowMs - making.atMs;
    const hasExpired = making.endsMs !== null && clock.now() >= making.endsMs && ageMs >= EXPIRY_MS;
    return hasExpired || (everyMs !== null && ageMs >= everyMs);
  }

  async function makeNamed(names: readonly FeedName[], { stamp, ...now }: FeedSource): Promise<void> {
    const atMs = clock.monotonicMs();
    const { settings, digests, source: node, clockFloorMs } = now;
    const task = { settings, digests, source: node, clockFloorMs, names, previous: state, nowMs: clock.now() };
    const { feeds, revision, endsMs } = await make(task);
    const entries = Array.from(feeds, ([feed, { sha256, changedMs }]) => {
      return [feed, { sha256, changed_at: changedMs / 1000 }] as const;
    });
    const next: FeedState = { ...state, revision, feeds: { ...state.feeds, ...Object.fromEntries(entries) } };
    // Before anybody sees a serial, so that it is never given to another text. A full disk does not stop a feed.
    if (!Bun.deepEquals(next, state))
      await writeFeedState(dataDir, next).catch((error) => logger.error('feeds.state_not_written', { error }));
    state = next;
    for (const [feed, version] of feeds) {
      if (made.get(feed)?.sha256 === version.sha256) continue;
      made.set(feed, version);
      logger.info('feeds.made', { feed, lines: version.lines, serial: version.changedMs / 1000 });
    }
    // Others may be of an earlier state, and are due when that one was.
    if (making === null || names.length === wanted.size) making = { stamp, atMs, endsMs };
    failure = null;
  }

  function forgetUnused(): void {
    for (const [name, pulledMs] of wanted) {
      if (clock.monotonicMs() - pulledMs < FORGET_MS) continue;
      wanted.delete(name);
      made.delete(name);
    }
  }

  async function poll(): Promise<void> {
    if (!isOn()) {
      wanted.clear();
      made.clear();
      [making, failure] = [null, null];
    }
    forgetUnused();
    if (isClosed || wanted.size === 0) return;
    const now = source();
    if (now.fault !== null) return fail(now.fault, now.stamp);
    const names = [...wanted.keys()];
    const due = isDue(now) ? names : failure === null ? names.filter((name) => !made.has(name)) : [];
    if (due.length === 0) return;
    try {
      await makeNamed(due, now);
    } catch (error) {
      if (!isClosed) fail(error instanceof OperationError ? error.message : String(error), now.stamp);
    }
  }

  const polling = repeated(pollMs, poll);
  return {
    async pull(name) {
      wanted.set(name, clock.monotonicMs());
      const version = made.get(name);
      if (version) return version;
      await polling.now();
      return made.get(name) ?? null;
    },
    notices: () => (failure === null ? [] : [made.size > 0 ? STALE : MISSING]),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await polling.stop();
    },
  };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((member, at) => member === other[at]);
}

/** Without the state, a serial is the time: it falls only if the clock was set back as well. */
function readState(dataDir: string, logger: Pick<Logger, 'error'>): FeedState {
  try {
    return readFeedState(dataDir);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    logger.error('file.unusable', { file: 'feeds', problem: error.message });
    return NO_FEEDS;
  }
}
