import type { Engine } from '#src/app/engine.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { assessMessage, type MessageAssessment } from '#src/engine/mail-verdict/assess-message.ts';
import { type MessageThresholdSettings, messageThresholds } from '#src/engine/mail-verdict/settings.ts';
import type { WeighedLink, WeighedMessage } from '#src/engine/mail-verdict/weighed-message.ts';
import { senderLinks } from '#src/engine/message/sender-link.ts';
import type { LinkFinding, MailClassifier } from './classify-mail.ts';

/**
 * Returns a classifier of mails by the verdicts on their links; the site of the sender is classified by its spelling.
 *
 * @param verdict classifies a URL by its spelling and the lists
 */
export function mailAssessor(
  engine: Pick<Engine, 'scoringContext'>,
  running: () => MessageThresholdSettings,
  verdict: MailClassifier['verdict'],
): (message: WeighedMessage, findings: readonly LinkFinding[]) => MessageAssessment {
  return (message, findings) => {
    const { models, settings } = engine.scoringContext();
    const [sender] = message.head?.from ?? [];
    const ofSender = senderLinks(sender ? [sender.address] : []).flatMap(({ url }) => {
      const target = parseTarget(url);
      return isTargetProblem(target) ? [] : weighed({ ...verdict(target), target, rule: 'spelling' });
    });
    const links = [...ofSender, ...findings.map(weighed)];
    const thresholds = messageThresholds(running());
    return assessMessage(message, links, models, { baseRate: settings.baseRate, thresholds });
  };
}

function weighed(finding: Pick<LinkFinding, 'target' | 'probability' | 'decision' | 'rule'>): WeighedLink {
  const { target, probability, decision, rule } = finding;
  return { url: target.input, probability, decision, isListed: rule === 'list-blocks' && decision === 'block' };
}
