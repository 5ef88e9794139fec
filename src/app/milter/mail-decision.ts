import type { MilterDecision } from '#src/service/milter/milter-reply.ts';
import type { MilterSettings } from '#src/service/milter/settings.ts';
import type { MailFinding } from './classify-mail.ts';

/** Why a mail passes unread. */
export type PassReason = 'deadline' | 'failed' | 'authenticated';

/** The decision on a mail that passes unread. */
export function passUnread(reason: PassReason): MilterDecision {
  return { mark: `none; reason=${reason}`, isFlagged: false, action: 'accept' };
}

/**
 * Returns the decision on a mail. The mark has codes and numbers alone, never a URL: headers of mails are read by others.
 *
 * @param reasons codes of the reasons against the worst link, the strongest first
 */
export function decisionOf(
  { links, blocked, worst, isMismatched, isWhole }: MailFinding,
  onBlock: MilterSettings['milter_on_block'],
  reasons: readonly string[],
  model: string,
): MilterDecision {
  const parts = [
    worst?.decision ?? 'none',
    `links=${links}`,
    ...(worst ? [`blocked=${blocked}`, `probability=${worst.probability.toFixed(4)}`] : []),
    ...(isMismatched ? ['mismatch=1'] : []),
    ...(isWhole ? [] : ['incomplete']),
    ...(worst ? [`model=${model}`] : []),
    ...(reasons.length > 0 ? [`why=${reasons.join(',')}`] : []),
  ];
  const isBlocked = worst?.decision === 'block';
  return {
    mark: parts.join('; '),
    isFlagged: isBlocked,
    action: isBlocked && onBlock !== 'mark' ? onBlock : 'accept',
  };
}
