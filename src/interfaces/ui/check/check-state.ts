import type { CheckDraft } from './check-draft.ts';
import type { QueuedCheck } from './check-queue.ts';
import type { GistState } from './intake/gist.ts';
import type { IntakeProblem } from './intake/intake-problem.ts';

/** What the check page remembers while its reader looks at another page or changes the language. */
export interface CheckState extends GistState {
  readonly draft: CheckDraft;
  checks: readonly QueuedCheck[];
  shown: QueuedCheck | null;
  unread: readonly IntakeProblem[];
  /** What was in the box when the checks began; null once something else was put there. */
  checkedText: string | null;
  /** What was checked in this tab, the newest first. */
  recent: readonly QueuedCheck[];
}

/** Whether the box holds something else than what was checked. */
export function isOutdated({ checks, draft, checkedText }: CheckState): boolean {
  return checks.length > 0 && draft.text !== checkedText;
}
