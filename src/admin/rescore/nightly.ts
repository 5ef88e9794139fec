import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { KeptOutcome, RescoreOutcome } from '#src/checks/record/rescore-outcome.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { daily } from '#src/checks/store/upkeep/daily.ts';
import type { JudgeAgain } from './rescore-check.ts';
import { readOutcome, writeOutcome } from './kept-outcome.ts';
import { allChanged, changesMade, isGraver, nothingRescored, RECORDS_AT_ONCE, rescore } from './rescore.ts';
import type { TimeOfDay } from '#src/checks/store/upkeep/time-of-day.ts';

/** What a night's judging again is made of. */
export interface NightlyParts {
  /** When to begin; null for never. It may change. */
  readonly at: () => TimeOfDay | null;
  /** By what is in force then. */
  readonly judge: () => JudgeAgain;
  readonly log: Pick<ScanLog, 'read' | 'find'>;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How often to look at the clock, in milliseconds. */
  readonly everyMs?: number;
}

/** Judges the public checks again once a day. Disposing of it breaks off what is under way, until the next day. */
export interface NightlyRescore extends AsyncDisposable {
  /** What the last night came to; null where there was none. */
  latest(): KeptOutcome | null;
  /** The same with the checks as the log has them now: what was deleted since is not told of. */
  told(): Promise<RescoreOutcome | null>;
}

/** How many of those that were let through are told one by one. */
const MAX_TOLD = 10;

/**
 * Private checks are left out, so that no public figure is moved by one. Nodes that share a log each judge it where each is
 * told to; nothing is changed by that, so it needs no agreement.
 */
export async function startNightlyRescore(parts: NightlyParts): Promise<NightlyRescore> {
  const { at, clock, logger, dataDir, log, everyMs } = parts;
  const stopping = new AbortController();
  let latest = await readOutcome(dataDir);
  let underWay: Promise<void> = Promise.resolve();

  async function night(): Promise<void> {
    const outcome = await judgeAll(parts, stopping.signal);
    latest = outcome;
    await writeOutcome(dataDir, outcome);
  }

  const looking = daily({
    at,
    // A night that was missed is not made up for: the next one does the same.
    lastMs: clock.now(),
    work: () => (underWay = night()),
    onFailure: (error) => {
      if (!stopping.signal.aborted) logger.error('rescore.failed', { error });
    },
    clock,
    ...(everyMs === undefined ? {} : { everyMs }),
  });
  return {
    latest: () => latest,
    async told() {
      if (latest === null) return null;
      const { graver, ...counts } = latest;
      const found = await Promise.all(
        graver.map(async ({ request_id: id, ...change }) => {
          const entry = await log.find('public', id);
          if (entry === null) return [];
          const { request_id, url, timestamp } = entry.result;
          return [{ request_id, url, timestamp, ...change }];
        }),
      );
      return { ...counts, graver: found.flat() };
    },
    async [Symbol.asyncDispose]() {
      looking[Symbol.dispose]();
      stopping.abort();
      await underWay.catch(() => {});
    },
  };
}

async function judgeAll({ judge, log, clock, logger }: NightlyParts, stopping: AbortSignal): Promise<KeptOutcome> {
  const rescored = nothingRescored();
  const graver: KeptOutcome['graver'] = [];
  const entries = log.read('public', EVERY_CHECK, RECORDS_AT_ONCE);
  for await (const changed of rescore(entries, judge(), rescored, createRest(clock, stopping))) {
    if (graver.length < MAX_TOLD && isGraver(changed))
      graver.push({
        request_id: changed.kept.request_id,
        was: changed.was.decision,
        now: changed.now.decision,
      });
  }
  logger.info('rescore.done', {
    judged: rescored.judged,
    unread: rescored.unread,
    changed: allChanged(rescored),
  });
  const changes = changesMade(rescored);
  return { finished_at: new Date(clock.now()).toISOString(), judged: rescored.judged, changes, graver };
}

/** Of a core, while it goes on: checks that come in have the rest. */
const SHARE = 0.2;

/** However long a turn took, because a database did not answer or the machine was busy, the next one comes. */
const LONGEST_REST_MS = 1000;

/** Rests as long as leaves its share. What counts is how long a turn took, so on a busy machine it rests longer. */
function createRest(clock: Clock, stopping: AbortSignal): () => Promise<void> {
  let resumedMs = clock.monotonicMs();
  return async () => {
    const tookMs = clock.monotonicMs() - resumedMs;
    await wait(Math.min(LONGEST_REST_MS, tookMs * (1 / SHARE - 1)), undefined, { signal: stopping });
    resumedMs = clock.monotonicMs();
  };
}
