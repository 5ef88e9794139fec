import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type RescoreOutcome, type StoredOutcome, StoredOutcomeSchema } from '#src/checks/record/stats.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { daily, type TimeOfDay } from '#src/checks/store/upkeep/run-every.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { replaceFile } from '#src/core/base/files/locked-file.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import type { RescoreCheck, RescoredCheck } from './rescore-check.ts';

/** Returns the path of the outcome of the last nightly run. */
export const outcomeFileIn = (dataDir: string): string => join(dataDir, 'rescored.json');

/** Reads the outcome of the last nightly run; null if there is none or it is invalid. */
async function readOutcome(dataDir: string): Promise<StoredOutcome | null> {
  const file = Bun.file(outcomeFileIn(dataDir));
  if (!(await file.exists())) return null;
  const shaped = readShape(StoredOutcomeSchema, parseJson(await file.text()));
  return 'value' in shaped ? shaped.value : null;
}

/** Stores the outcome for the next start. */
async function writeOutcome(dataDir: string, outcome: StoredOutcome): Promise<void> {
  await replaceFile(outcomeFileIn(dataDir), `${JSON.stringify(outcome)}\n`);
}

/** Dependencies of nightly re-scoring. */
interface NightlyParts {
  /** Time of day; null for never. It may change. */
  readonly at: () => TimeOfDay | null;
  /** Creates the re-scorer for the active model. */
  readonly rescorer: () => Promise<RescoreCheck>;
  readonly log: Pick<ScanLog, 'read' | 'find'>;
  /** Returns true if this node runs the re-scoring that is due; by default every node does. */
  readonly take?: ((dueMs: number) => Promise<boolean>) | undefined;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Interval of clock readings, in milliseconds. */
  readonly everyMs?: number;
}

/** Re-scores the public checks once a day. Disposing of it aborts a run until the next day. */
interface NightlyRescore extends AsyncDisposable {
  /** Returns the outcome of the last run; null if there is none. */
  latest(): StoredOutcome | null;
  /** The same with the checks as the log has them now: deleted checks are left out. */
  report(): Promise<RescoreOutcome | null>;
  /** Reads the outcome of another node. */
  reread(): Promise<void>;
}

/** Maximum number of allowed checks that are reported individually. */
const MAX_REPORTED = 10;

/**
 * Starts nightly re-scoring. Private checks are left out, so that they do not influence public figures. Of the nodes that share
 * a log, one runs it.
 */
export async function startNightlyRescore(parts: NightlyParts): Promise<NightlyRescore> {
  const { at, clock, logger, dataDir, log, everyMs } = parts;
  const stopping = new AbortController();
  let latest = await readOutcome(dataDir);
  let underWay: Promise<void> = Promise.resolve();

  async function night(dueMs: number): Promise<void> {
    if (parts.take && !(await parts.take(dueMs))) return;
    const outcome = await rescoreAll(parts, stopping.signal);
    latest = outcome;
    await writeOutcome(dataDir, outcome);
  }

  const looking = daily({
    at,
    // A night that was missed is not made up for: the next one does the same.
    lastMs: clock.now(),
    work: (dueMs) => (underWay = night(dueMs)),
    onFailure: (error) => {
      if (!stopping.signal.aborted) logger.error('rescore.failed', { error });
    },
    clock,
    ...(everyMs === undefined ? {} : { everyMs }),
  });
  return {
    latest: () => latest,
    async reread() {
      latest = await readOutcome(dataDir);
    },
    async report() {
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

async function rescoreAll(
  { rescorer, log, clock, logger }: NightlyParts,
  stopping: AbortSignal,
): Promise<StoredOutcome> {
  const { allChanged, changesMade, CHECKS_PER_TURN, isGraver, nothingRescored, rescore } = await import('./rescore.ts');
  const rescored = nothingRescored<RescoredCheck>();
  const graver: StoredOutcome['graver'] = [];
  const entries = log.read('public', EVERY_CHECK, CHECKS_PER_TURN);
  for await (const changed of rescore(entries, await rescorer(), rescored, createRest(clock, stopping))) {
    if (graver.length < MAX_REPORTED && isGraver(changed))
      graver.push({
        request_id: changed.check.request_id,
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

/** Share of a core that a run may use. */
const SHARE = 0.2;

/** Maximum pause, however long a turn took. */
const MAX_REST_MS = 1000;

/** Pauses in proportion to the duration of a turn, so that a busy host gets longer pauses. */
function createRest(clock: Clock, stopping: AbortSignal): () => Promise<void> {
  let resumedMs = clock.monotonicMs();
  return async () => {
    const tookMs = clock.monotonicMs() - resumedMs;
    await wait(Math.min(MAX_REST_MS, tookMs * (1 / SHARE - 1)), undefined, { signal: stopping });
    resumedMs = clock.monotonicMs();
  };
}
