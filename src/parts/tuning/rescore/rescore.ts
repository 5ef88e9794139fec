import { isUnreadable, type LoggedResult } from '#src/checks/record/logged-result.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import type { Decision } from '#src/engine/fusion/decide.ts';
import type { RescoreCheck, RescoredCheck } from './rescore-check.ts';

/** Stored checks, latest first. */
export type StoredChecks = AsyncIterable<Pick<LogEntry, 'result'>>;

/** A check whose decision changed. */
export interface ChangedVerdict extends RescoredCheck {
  readonly check: Pick<LoggedResult, 'url' | 'request_id' | 'timestamp'>;
}

/** A change of decision. */
export type Change = `${Decision} ${Decision}`;

/** All changes of decision as `was now`, the most severe first. */
export const CHANGES = [
  'allow block',
  'allow warn',
  'warn block',
  'block allow',
  'block warn',
  'warn allow',
] as const satisfies readonly Change[];

/** Progress of re-scoring. */
export interface Rescored {
  /** Number of re-scored checks. */
  judged: number;
  /** Number of unreadable records. */
  unread: number;
  /** Number of changed decisions, by change. */
  readonly changes: Record<(typeof CHANGES)[number], number>;
}

/** Returns zero counts. */
export function nothingRescored(): Rescored {
  return {
    judged: 0,
    unread: 0,
    changes: {
      'allow block': 0,
      'allow warn': 0,
      'warn block': 0,
      'block allow': 0,
      'block warn': 0,
      'warn allow': 0,
    },
  };
}

/** Returns the change of a decision; null if it is the same. */
export function changeOf({ was, now }: RescoredCheck): (typeof CHANGES)[number] | null {
  return CHANGES.find((change) => change === `${was.decision} ${now.decision}`) ?? null;
}

/** Returns the number of changed decisions. */
export function allChanged({ changes }: Rescored): number {
  return CHANGES.reduce((sum, change) => sum + changes[change], 0);
}

/** Returns true if the new decision is more severe. */
export function isGraver(changed: RescoredCheck): boolean {
  const change = changeOf(changed);
  return change !== null && CHANGES.indexOf(change) < CHANGES.indexOf('block allow');
}

/** Returns the changes that occurred, with their counts. */
export function changesMade({ changes }: Rescored): { was: Decision; now: Decision; checks: number }[] {
  return CHANGES.flatMap((change) => {
    const [was, now] = change.split(' ') as [Decision, Decision];
    return changes[change] === 0 ? [] : [{ was, now, checks: changes[change] }];
  });
}

/** Number of checks per turn, a few milliseconds of work. */
export const RECORDS_AT_ONCE = 16;

/**
 * Re-scores checks and yields those whose decision changed, in order. Counts all; changes no record.
 *
 * @param pause called after every few milliseconds of work
 */
export async function* rescore(
  entries: StoredChecks,
  rescoreCheck: RescoreCheck,
  rescored: Rescored,
  pause: () => Promise<void>,
): AsyncGenerator<ChangedVerdict> {
  for await (const { result } of entries) {
    const rescoredCheck = isUnreadable(result) ? null : rescoreCheck(result);
    if (rescoredCheck === null) rescored.unread++;
    else rescored.judged++;
    const change = rescoredCheck && changeOf(rescoredCheck);
    if (rescoredCheck && change) {
      rescored.changes[change]++;
      const { url, request_id, timestamp } = result;
      yield { check: { url, request_id, timestamp }, ...rescoredCheck };
    }
    if ((rescored.judged + rescored.unread) % RECORDS_AT_ONCE === 0) await pause();
  }
}
