import type { MessageRecord } from '#src/checks/record/message-record.ts';
import { describeMessageVerdict, type MessageVerdict, weighLink } from '#src/checks/record/message-verdict.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { VerdictSettings } from '#src/engine/assess/settings.ts';
import { assessMessage, type MessageModels, type MessageSettings } from '#src/engine/mail-verdict/assess-message.ts';
import { type MessageVerdictSettings, messageThresholds } from '#src/engine/mail-verdict/settings.ts';
import { type Message, unreadParts } from '#src/engine/message/message.ts';
import type { CheckOutcome } from './check-one.ts';
import type { MessageView } from './message-view.ts';

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

/** Returns the record of a message that the command checked at a time, in milliseconds since the Unix epoch. */
export function recordOfMessage(
  { message, verdict }: Pick<MessageView, 'message' | 'verdict'>,
  outcomes: readonly CheckOutcome[],
  visibility: Visibility,
  nowMs: number,
): MessageRecord {
  const { isWhole } = message;
  const unread = unreadParts(message).length;
  const links = outcomes.map((outcome) => ({ request_id: 'result' in outcome ? outcome.result.request_id : null }));
  return {
    ...verdict,
    request_id: createRequestId(nowMs),
    visibility,
    via: 'cli',
    caution: verdict.decision === 'allow' && (!isWhole || (links.length === 0 && unread > 0)),
    is_whole: isWhole,
    link_count: links.length,
    unchecked: links.filter(({ request_id }) => request_id === null).length,
    unread,
    links,
    client: null,
  };
}

async function openOwn(config: MessageConfig): Promise<MessageClassifier> {
  const { openModels } = await import('#src/app/scoring/classifier.ts');
  return { models: await openModels(config.data_dir), settings: { baseRate: config.base_rate } };
}
