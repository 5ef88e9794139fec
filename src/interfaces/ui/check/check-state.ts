import type { MailCheck } from '../mail/mail-check.ts';
import type { CheckDraft } from './check-draft.ts';
import type { QueuedCheck } from './check-queue.ts';
import type { GistState } from './intake/gist.ts';
import type { IntakeProblem } from './intake/intake-problem.ts';

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
