import type { Locale } from '../../shell/locale.ts';
import { countKinds, headlineOf, KINDS } from '../check-kind.ts';
import type { QueuedCheck } from '../check-queue.ts';
import { type IntakeProblem, isUnseen } from './intake-problem.ts';

/** What a gist is of. */
export interface GistState {
  readonly checks: readonly QueuedCheck[];
  readonly shown: QueuedCheck | null;
  /** What of the message was not read. */
  readonly unread: readonly IntakeProblem[];
}

/**
 * The verdict of the check that is open, else how many of a batch have which, and how many links and parts of the message are
 * not checked; empty where there is none. It names no link.
 */
export function gistOf({ checks, shown, unread }: GistState, { say, format }: Locale): string {
  const counts = countKinds(checks);
  const unseen = unread.filter(isUnseen).length;
  const missing = (count: number) => (count > 0 ? [`${format.number(count)} ${say('batch.unchecked')}`] : []);
  const headline = shown && headlineOf(shown);
  if (headline !== null) return [say(headline), ...missing(unseen)].join(', ');
  const kinds = KINDS.flatMap((one) =>
    one !== 'unchecked' && counts[one] > 0 ? `${format.number(counts[one])} ${say(`decision.${one}.short`)}` : [],
  );
  // What was stopped before anything came of it is not worth a title.
  return kinds.length === 0 ? '' : [...kinds, ...missing(counts.unchecked + unseen)].join(', ');
}
