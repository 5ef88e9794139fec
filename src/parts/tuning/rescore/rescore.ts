import { setImmediate } from 'node:timers/promises';
import { isUnreadable, type LoggedResult } from '#src/checks/record/stored-result.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { LogEntry, ScanLog } from '#src/checks/store/scan-log.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { Score, VerdictPair } from '#src/parts/tuning/models/compare-models.ts';

/** Number of latest checks on which a preview compares. */
const PREVIEWED_CHECKS = 10_000;

/** Number of records that are read at a time, which blocks the thread for a millisecond. */
const TOGETHER = 4;

/** Returns the latest public checks. */
export async function* latestChecks(log: Pick<ScanLog, 'read'>, limit = PREVIEWED_CHECKS): AsyncGenerator<LogEntry> {
  let left = limit;
  for await (const entry of log.read('public', EVERY_CHECK, TOGETHER)) {
    yield entry;
    if (--left <= 0) return;
  }
}

/** Stored checks, latest first. */
export type StoredChecks = AsyncIterable<Pick<LogEntry, 'result'>>;

/** A check whose decision changed. */
export type ChangedCheck<Pair extends VerdictPair = VerdictPair> = Pair & {
  readonly check: Pick<LoggedResult, 'url' | 'request_id' | 'timestamp'>;
};

/** All changes of decision as `was now`, the most severe first. */
export const CHANGES = [
  'allow block',
  'allow warn',
  'warn block',
  'block allow',
  'block warn',
  'warn allow',
] as const satisfies readonly `${Decision} ${Decision}`[];

/** A change of decision. */
export type ChangeOfDecision = (typeof CHANGES)[number];

/** Maximum number of changed checks that {@link Rescored} lists. */
const MAX_LISTED = 1000;

/** Progress and result of re-scoring. */
export interface Rescored<Pair extends VerdictPair = VerdictPair> {
  /** Number of re-scored checks. */
  judged: number;
  /** Number of checks that could not be scored, because their records cannot be read. */
  unread: number;
  /** Number of changed decisions, by change. */
  readonly changes: Map<ChangeOfDecision, number>;
  /** The first changed checks, at most 1,000. */
  readonly changed: ChangedCheck<Pair>[];
}

/** Returns zero counts. */
export const nothingRescored = <Pair extends VerdictPair = VerdictPair>(): Rescored<Pair> => ({
  ...{ judged: 0, unread: 0 },
  changes: new Map(),
  changed: [],
});

/** Returns the change of a decision; null if it is the same. */
export function changeOf({ was, now }: VerdictPair): ChangeOfDecision | null {
  return CHANGES.find((change) => change === `${was.decision} ${now.decision}`) ?? null;
}

/** Returns the number of changed decisions. */
export function allChanged({ changes }: Pick<Rescored, 'changes'>): number {
  return changes.values().reduce((sum, count) => sum + count, 0);
}

/** Returns true if the new decision is more severe. */
export function isGraver(changed: VerdictPair): boolean {
  const change = changeOf(changed);
  return change !== null && CHANGES.indexOf(change) < CHANGES.indexOf('block allow');
}

/** Returns the changes that occurred, with their counts, the most severe first. */
export function changesMade({
  changes,
}: Pick<Rescored, 'changes'>): { was: Decision; now: Decision; checks: number }[] {
  return CHANGES.flatMap((change) => {
    const [was, now] = change.split(' ') as [Decision, Decision];
    const checks = changes.get(change);
    return checks === undefined ? [] : [{ was, now, checks }];
  });
}

/** Number of checks per turn of the event loop, a few milliseconds of work; of checks that are scored twice, a quarter. */
export const CHECKS_PER_TURN = 16;
const PAIRS_PER_TURN = 4;

/**
 * Scores stored checks, and yields those whose decision changed, in order. Counts all; changes no record.
 *
 * @param pause called after every few milliseconds of work
 */
export async function* rescore<Pair extends VerdictPair>(
  entries: StoredChecks,
  score: Score<Pair>,
  rescored: Rescored<Pair>,
  pause: () => Promise<unknown>,
  perTurn = CHECKS_PER_TURN,
): AsyncGenerator<ChangedCheck<Pair>> {
  for await (const { result } of entries) {
    const pair = isUnreadable(result) ? null : score(result);
    if (pair === null) rescored.unread++;
    else rescored.judged++;
    const change = pair && changeOf(pair);
    if (pair && change) {
      rescored.changes.set(change, (rescored.changes.get(change) ?? 0) + 1);
      const { url, request_id, timestamp } = result;
      const changed = { ...pair, check: { url, request_id, timestamp } };
      if (rescored.changed.length < MAX_LISTED) rescored.changed.push(changed);
      yield changed;
    }
    if ((rescored.judged + rescored.unread) % perTurn === 0) await pause();
  }
}

/** Scores each of stored checks twice. */
export async function rescoreAll<Pair extends VerdictPair>(
  entries: StoredChecks,
  score: Score<Pair>,
): Promise<Rescored<Pair>> {
  const rescored = nothingRescored<Pair>();
  for await (const _ of rescore(entries, score, rescored, setImmediate, PAIRS_PER_TURN));
  return rescored;
}
