import type { Decision } from '#src/engine/fusion/fuse.ts';
import { type CheckKind, checkKindOf, isHarmless, KINDS } from '../check-kind.ts';
import type { QueuedCheck } from '../check-queue.ts';

/** Facts about the links of a headline. */
export interface HeadlineContext {
  /** True for links of a message, which is not to be trusted because of one of them. */
  readonly isMessage: boolean;
  /** True if a part of the message was not read. */
  readonly isPartUnread: boolean;
  /** True if a file of the message is dangerous to open. */
  readonly isRisky?: boolean;
  /** Verdict on the message as a whole; null if only its links are checked. */
  readonly decision?: Decision | null;
}

/**
 * Returns the verdict on links together, and on their message: that of the worst, but never a mild one while a link or a
 * part is not checked.
 */
export function kindOfAll(
  checks: readonly QueuedCheck[],
  { isPartUnread, isRisky = false, decision = null }: Omit<HeadlineContext, 'isMessage'>,
): CheckKind {
  const kinds = new Set(checks.map(checkKindOf));
  // The pages of the links may be unseen behind a mail that is allowed.
  if (decision === 'block' || decision === 'warn' || (decision && checks.length === 0)) kinds.add(decision);
  const worst = KINDS.find((kind) => kinds.has(kind)) ?? 'unchecked';
  if (isRisky && worst !== 'block') return 'warn';
  return isHarmless(worst) && (isPartUnread || kinds.has('unchecked')) ? 'unchecked' : worst;
}
