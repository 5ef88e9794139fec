import type { MailCheck } from '../mail/opened-mail.ts';
import type { Locale } from '../shell/locale.ts';
import type { CheckDraft } from './check-draft.ts';
import { countKinds, headlineOf, KINDS } from './check-kind.ts';
import type { QueuedCheck } from './check-queue.ts';
import { type IntakeProblem, isUnseen } from './intake/intake-problem.ts';

/** State of the check page while its reader visits another page or changes the language. */
export interface CheckState extends GistState {
  readonly draft: CheckDraft;
  checks: readonly QueuedCheck[];
  openCheck: QueuedCheck | null;
  unread: readonly IntakeProblem[];
  /** Content of the text box when the checks began; null once it was replaced. */
  checkedText: string | null;
  /** Check of the mail as a whole; null if there is none or only its links were sent. */
  mail: MailCheck | null;
  /** Checks of this tab, latest first. */
  recent: readonly QueuedCheck[];
}

/** Returns true if there are checks, or that of a mail without links. */
export const hasChecks = ({ checks, mail }: CheckState): boolean => checks.length > 0 || mail !== null;

/** Returns true if the content of the text box has changed since the checks. */
export function isOutdated(state: CheckState): boolean {
  return hasChecks(state) && state.draft.text !== state.checkedText;
}

/** Checks that are remembered, as long as the page is open and nowhere else. */
const REMEMBERED = 50;

/** Returns the previous checks, latest first. */
export function rememberChecks(before: readonly QueuedCheck[], done: readonly QueuedCheck[]): QueuedCheck[] {
  const finished = done.filter(({ result }) => result !== null).toReversed();
  return [...finished, ...before.filter((check) => !finished.includes(check))].slice(0, REMEMBERED);
}

/** Input of the gist. */
interface GistState {
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
