import type { SenderMemory } from '#src/checks/store/senders/sender-memory.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { assessMessage, type MessageAssessment } from '#src/engine/mail-verdict/assess-message.ts';
import { confirmedAddress } from '#src/engine/mail-verdict/sender-confirmation.ts';
import { type MessageVerdictSettings, messageThresholds } from '#src/engine/mail-verdict/settings.ts';
import type { WeighedLink, WeighedMessage } from '#src/engine/mail-verdict/weighed-message.ts';
import { senderLinks } from '#src/engine/message/sender-link.ts';
import type { Engine } from '../engine.ts';

/**
 * Returns a classifier of mails by the verdicts on their links; the site of the sender is classified by its spelling.
 *
 * @param verdict classifies a URL by its spelling and the lists
 * @param memory has the senders that wrote before; those of allowed mails are noted
 */
export function mailAssessor(
  engine: Pick<Engine, 'scoringContext'>,
  running: () => MessageVerdictSettings,
  verdict: (target: Target) => Pick<WeighedLink, 'probability' | 'decision'>,
  memory: Pick<SenderMemory, 'isKnown' | 'note'>,
): (message: WeighedMessage, links: readonly WeighedLink[]) => MessageAssessment {
  return (message, links) => {
    const { models, settings } = engine.scoringContext();
    const [sender] = message.head?.from ?? [];
    const ofSender = senderLinks(sender ? [sender.address] : []).flatMap(({ url }): WeighedLink[] => {
      const target = parseTarget(url);
      if (isTargetProblem(target)) return [];
      const { probability, decision } = verdict(target);
      return [{ url, probability, decision, isListed: false }];
    });
    const { own_people: people, ...chosen } = running();
    const thresholds = messageThresholds(chosen);
    const confirmed = confirmedAddress(message, models.knowledge);
    const isRemembered = confirmed !== null && memory.isKnown(confirmed);
    const options = { baseRate: settings.baseRate, thresholds, people, isRemembered };
    const assessment = assessMessage(message, [...ofSender, ...links], models, options);
    if (confirmed !== null && assessment.decision === 'allow') memory.note(confirmed);
    return assessment;
  };
}
