import { describeMessageVerdict, type MessageVerdict, weighLink } from '#src/checks/record/message-verdict.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import type { VerdictSettings } from '#src/engine/assess/settings.ts';
import { assessMessage, type MessageModels, type MessageSettings } from '#src/engine/mail-verdict/assess-message.ts';
import { type MessageVerdictSettings, messageThresholds } from '#src/engine/mail-verdict/settings.ts';
import type { Message } from '#src/engine/message/message.ts';
import type { CheckOutcome } from './check-one.ts';

/** Models and base rate of checks. */
export interface MessageClassifier {
  readonly models: MessageModels;
  readonly settings: Pick<MessageSettings, 'baseRate'>;
}

/** Settings of verdicts on messages, and where the models are. */
type MessageConfig = MessageVerdictSettings & Pick<VerdictSettings, 'base_rate'> & Pick<StoreSettings, 'data_dir'>;

/**
 * Classifies a message by the outcomes of its links.
 *
 * @param classifier null if a service checked the links: the models of this program classify the message
 */
export async function messageVerdict(
  message: Message,
  outcomes: readonly CheckOutcome[],
  config: MessageConfig,
  classifier: MessageClassifier | null,
): Promise<MessageVerdict> {
  const { models, settings } = classifier ?? (await openOwn(config));
  const links = outcomes.flatMap((outcome) =>
    'result' in outcome ? [weighLink(outcome.result.url, outcome.result)] : [],
  );
  const options = { baseRate: settings.baseRate, thresholds: messageThresholds(config), people: config.own_people };
  return describeMessageVerdict(assessMessage(message, links, models, options));
}

async function openOwn(config: MessageConfig): Promise<MessageClassifier> {
  const { openModels } = await import('#src/admin/active/models.ts');
  return { models: await openModels(config.data_dir), settings: { baseRate: config.base_rate } };
}
