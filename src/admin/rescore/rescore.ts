import type { Decision } from '#src/engine/fusion/decide.ts';
import { isUnread, type KeptResult } from '#src/checks/record/logged-result.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import type { JudgeAgain, JudgedAgain } from './rescore-check.ts';

/** A check of which another thing is said today. */
export interface ChangedVerdict extends JudgedAgain {
  readonly kept: Pick<KeptResult, 'url' | 'request_id' | 'timestamp'>;
}

/** A decision that became another. */
export type Change = `${Decision} ${Decision}`;

/** Every decision that may become another, as `was now`: the graver for who was let through first. */
export const CHANGES = [
  'allow block',
  'allow warn',
  'warn block',
  'block allow',
  'block warn',
  'warn allow',
] as const satisfies readonly Change[];

/** What judging again has come to so far. */
export interface Rescored {
  /** How many checks were judged again. */
  judged: number;
  /** How many could not be: their records cannot be read. */
  unread: number;
  /** How many come out otherwise. */
  readonly changes: Record<(typeof CHANGES)[number], number>;
}

/** Nothing was judged again yet. */
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

/** The change that a verdict went through; null where its decision stays. */
export function changeOf({ was, now }: JudgedAgain): (typeof CHANGES)[number] | null {
  return CHANGES.find((change) => change === `${was.decision} ${now.decision}`) ?? null;
}

/** How many come out otherwise, whatever the change. */
export function allChanged({ changes }: Rescored): number {
  return CHANGES.reduce((sum, change) => sum + changes[change], 0);
}

/** Whether what was let through, or through with a warning, is not any more. */
export function isGraver(changed: JudgedAgain): boolean {
  const change = changeOf(changed);
  return change !== null && CHANGES.indexOf(change) < CHANGES.indexOf('block allow');
}

/** The changes that there were, each with how many checks went through it. */
export function changesMade({ changes }: Rescored): { was: Decision; now: Decision; checks: number }[] {
  return CHANGES.flatMap((change) => {
    const [was, now] = change.split(' ') as [Decision, Decision];
    return changes[change] === 0 ? [] : [{ was, now, checks: changes[change] }];
  });
}

/** So many checks are a few milliseconds of work. */
export const RECORDS_AT_ONCE = 16;

/**
 * Judges checks again, hands on those that come out otherwise, in their order, and counts them all. Nothing of the others
 * is held, and no record is changed.
 *
 * @param pause is waited for after every few milliseconds of work
 */
export async function* rescore(
  entries: AsyncIterable<Pick<LogEntry, 'result'>>,
  judge: JudgeAgain,
  rescored: Rescored,
  pause: () => Promise<void>,
): AsyncGenerator<ChangedVerdict> {
  for await (const { result } of entries) {
    const judged = isUnread(result) ? null : judge(result);
    if (judged === null) rescored.unread++;
    else rescored.judged++;
    const change = judged && changeOf(judged);
    if (judged && change) {
      rescored.changes[change]++;
      const { url, request_id, timestamp } = result;
      yield { kept: { url, request_id, timestamp }, ...judged };
    }
    if ((rescored.judged + rescored.unread) % RECORDS_AT_ONCE === 0) await pause();
  }
}
