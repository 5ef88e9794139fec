import type { MailCheck } from '../../mail/mail-check.ts';
import type { Locale } from '../../shell/locale.ts';
import { countKinds, headlineOf, KINDS } from '../check-kind.ts';
import type { QueuedCheck } from '../check-queue.ts';
import { type IntakeProblem, isUnseen } from './intake-problem.ts';

/** Input of the gist. */
export interface GistState {
  readonly checks: readonly QueuedCheck[];
  readonly openCheck: QueuedCheck | null;
  readonly mail?: Pick<MailCheck, 'answer'> | null;
  /** Parts of the message that were not read. */
  readonly unread: readonly IntakeProblem[];
}

/**
 * Summarises the open verdict, or the batch's verdicts, unchecked links and unread parts; empty if there are none. It
 * names no link.
 */
export function gistOf({ checks, openCheck, unread, mail }: GistState, { say, format }: Locale): string {
  const counts = countKinds(checks);
  const unseen = unread.filter(isUnseen).length;
  const missing = (count: number) => (count > 0 ? [`${format.number(count)} ${say('batch.unchecked')}`] : []);
  const decision = mail?.answer?.decision;
  if (decision === 'block' || decision === 'warn')
    return [say(`mail.verdict.${decision}`), ...missing(counts.unchecked + unseen)].join(', ');
  const headline = openCheck && headlineOf(openCheck);
  if (headline !== null) return [say(headline), ...missing(unseen)].join(', ');
  const kinds = KINDS.flatMap((one) =>
    one !== 'unchecked' && counts[one] > 0 ? `${format.number(counts[one])} ${say(`decision.${one}.short`)}` : [],
  );
  // What was stopped before anything came of it is not worth a title.
  return kinds.length === 0 ? '' : [...kinds, ...missing(counts.unchecked + unseen)].join(', ');
}
