import type { Look } from '../elements/look.ts';
import type { SentenceKey } from '../languages/language.ts';
import { lookOf, stateOf } from '../result/verdict-state.ts';
import type { QueuedCheck } from './check-queue.ts';
import { lookOfTarget } from './intake/non-web-words.ts';

/** Kinds of checks of a batch, the most dangerous first; `unchecked` has no result yet. */
export const KINDS = ['block', 'warn', 'caution', 'unseen', 'allow', 'unchecked'] as const;

export type CheckKind = (typeof KINDS)[number];

/** The kind of a check: how its verdict looks. */
export function checkKindOf({ result, link, target }: QueuedCheck): CheckKind {
  if (target) return lookOfTarget(target);
  return result ? (lookOf({ ...link, result }) satisfies Look) : 'unchecked';
}

/** Returns the headline of a check; null if it has none yet. */
export function headlineOf({ result, link, target }: QueuedCheck): SentenceKey | null {
  if (target) return 'target.title';
  return result && `decision.${stateOf({ ...link, result })}`;
}

/** Returns true for kinds that need no attention. */
export function isHarmless(kind: CheckKind): kind is 'allow' | 'unseen' {
  return kind === 'allow' || kind === 'unseen';
}

/** Counts the checks of each kind. */
export function countKinds(checks: readonly QueuedCheck[]): Readonly<Record<CheckKind, number>> {
  const counts = { block: 0, warn: 0, caution: 0, unseen: 0, allow: 0, unchecked: 0 };
  for (const check of checks) counts[checkKindOf(check)]++;
  return counts;
}

/** The most dangerous first; of equal ones, in the order in which they were given. */
export function worstFirst(checks: readonly QueuedCheck[]): QueuedCheck[] {
  const ranked = checks.map((check) => ({
    check,
    rank: KINDS.indexOf(checkKindOf(check)),
    probability: check.result?.malicious_probability ?? -1,
  }));
  return ranked.toSorted((a, b) => a.rank - b.rank || b.probability - a.probability).map(({ check }) => check);
}

/** Minutes that many links take at a limit: the first go at once, and as many with each minute. */
export function minutesFor(links: number, checksPerMinute: number): number {
  return Math.floor(Math.max(links - 1, 0) / checksPerMinute);
}
