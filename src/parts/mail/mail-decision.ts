import type { MailLinks } from '#src/app/message/mail-links.ts';
import type { MilterDecision } from '#src/parts/mail/milter/milter-reply.ts';
import type { MilterSettings } from '#src/parts/mail/milter/settings.ts';
import type { LinksFinding } from './classify-mail.ts';

/** Why a mail passes without being examined. */
export type PassReason = 'deadline' | 'failed' | 'authenticated';

/** Decision on a mail, with what is counted of it. */
export interface MailDecision extends MilterDecision {
  /** Why the mail, or a part of it, passes unexamined; null if it was examined, or is not mild. */
  readonly unexamined: PassReason | 'incomplete' | null;
}

/** Verdict on a mail by its links. */
export type MailFinding = LinksFinding & Pick<MailLinks, 'count' | 'isMismatched' | 'unread'>;

/** Returns the decision on a mail that passes without being examined. */
export function passUnread(reason: PassReason): MailDecision {
  return { mark: `unexamined; reason=${reason}`, isFlagged: false, action: 'accept', unexamined: reason };
}

/**
 * Returns the decision on a mail. The mark has codes and numbers alone, never a URL: headers of mails are read by others.
 *
 * @param reasons codes of the reasons against the worst link, the strongest first
 */
export function decisionOf(
  finding: MailFinding,
  onBlock: MilterSettings['milter_on_block'],
  reasons: readonly string[],
  model: string,
): MailDecision {
  const { count, blocked, worst, isMismatched, unread, isWhole } = finding;
  const word = wordFor(finding);
  const parts = [
    word,
    `links=${count}`,
    ...(unread > 0 ? [`unread=${unread}`] : []),
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
    unexamined: word === 'unknown' && !isWhole ? 'incomplete' : null,
  };
}

/** Returns the verdict on the worst link. A mild one would be wrong if links, or all that may hold them, were not read. */
function wordFor({ worst, unread, isWhole, count }: MailFinding): string {
  const word = worst?.decision ?? 'none';
  const isPartUnseen = !isWhole || (count === 0 && unread > 0);
  return isPartUnseen && (word === 'allow' || word === 'none') ? 'unknown' : word;
}
