import type { MailLinks } from '#src/app/message/mail-links.ts';
import type { MessageAssessment } from '#src/engine/mail-verdict/assess-message.ts';
import type { WeighedLink } from '#src/engine/mail-verdict/weighed-message.ts';
import type { MilterDecision } from '#src/parts/mail/milter/milter-reply.ts';
import type { MilterSettings } from '#src/parts/mail/milter/settings.ts';
import type { LinkFinding, LinksFinding } from './classify-mail.ts';

/** Why a mail passes without being examined. */
export type PassReason = 'deadline' | 'failed' | 'authenticated';

/** Decision on a mail, with what is counted of it. */
export interface MailDecision extends MilterDecision {
  /** Why the mail, or a part of it, passes unexamined; null if it was examined, or is not mild. */
  readonly unexamined: PassReason | 'incomplete' | null;
}

/** Findings on a mail: of its links, and the verdict on it as a whole. */
export type MailFinding = Omit<LinksFinding, 'all'> &
  Pick<MailLinks, 'count' | 'isMismatched' | 'unread'> & { readonly verdict: MailVerdict };

/** Verdict on a mail as a whole. */
export interface MailVerdict extends Pick<MessageAssessment, 'decision'> {
  readonly probability: number;
  /** Codes of the reasons against the mail, the strongest first. */
  readonly reasons: readonly string[];
}

/** Maximum number of reasons that are named. */
const MAX_REASONS = 6;
/** Minimum weight of a named reason, in log-odds. */
const MIN_WEIGHT = 0.3;

/** Returns a finding on a link as the verdict on the mail weighs it. */
export function weighFinding({ target, probability, decision, rule }: LinkFinding): WeighedLink {
  return { url: target.input, probability, decision, isListed: rule === 'list-blocks' && decision === 'block' };
}

/** Returns the verdict of an assessment, with the reasons that a header has room for. */
export function mailVerdict({ decision, verdict }: MessageAssessment): MailVerdict {
  const against = verdict.contributions.filter(({ weight }) => weight >= MIN_WEIGHT);
  return { decision, probability: verdict.probability, reasons: against.slice(0, MAX_REASONS).map(({ code }) => code) };
}

/** Returns the decision on a mail that passes without being examined. */
export function passUnread(reason: PassReason): MailDecision {
  return { mark: `unexamined; reason=${reason}`, isFlagged: false, action: 'accept', unexamined: reason };
}

/**
 * Returns the decision on a mail. The mark has codes and numbers alone, never a URL: headers of mails are read by others.
 *
 * @param why codes of the reasons against the worst link, the strongest first
 */
export function decisionOf(
  finding: MailFinding,
  onBlock: MilterSettings['milter_on_block'],
  why: readonly string[],
  model: string,
): MailDecision {
  const { count, blocked, worst, isMismatched, unread, isWhole, verdict } = finding;
  const word = wordFor(finding);
  const parts = [
    word,
    `links=${count}`,
    ...(unread > 0 ? [`unread=${unread}`] : []),
    ...(worst ? [`blocked=${blocked}`] : []),
    `probability=${verdict.probability.toFixed(4)}`,
    ...(isMismatched ? ['mismatch=1'] : []),
    ...(isWhole ? [] : ['incomplete']),
    `model=${model}`,
    ...(why.length > 0 ? [`why=${why.join(',')}`] : []),
    ...(verdict.reasons.length > 0 ? [`reasons=${verdict.reasons.join(',')}`] : []),
  ];
  const isBlocked = verdict.decision === 'block';
  return {
    mark: parts.join('; '),
    isFlagged: isBlocked,
    action: isBlocked && onBlock !== 'mark' ? onBlock : 'accept',
    unexamined: word === 'unknown' && !isWhole ? 'incomplete' : null,
  };
}

/** Returns the verdict on the mail. A mild one would be wrong if links, or all that may hold them, were not read. */
function wordFor({ verdict: { decision }, unread, isWhole, count }: MailFinding): string {
  const isPartUnseen = !isWhole || (count === 0 && unread > 0);
  return isPartUnseen && decision === 'allow' ? 'unknown' : decision;
}
