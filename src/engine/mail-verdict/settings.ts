import { CHECKING, type SettingRule, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { listOf, numberBetween, orNone, plainText, wholeNumber } from '#src/core/base/settings/setting-kind.ts';
import type { Thresholds } from '#src/engine/fusion/fuse.ts';
import messageModel from '#src/engine/models/message.json' with { type: 'json' };

/** Settings of verdicts on messages; links have thresholds of their own. */
export const MESSAGE_SETTINGS = {
  auth_results_from: setting(
    CHECKING,
    listOf(plainText('a name', (text) => text.trim().toLowerCase() || null)),
    [],
    'Servers (authserv-id) whose results, also by ARC, count beside those of the receiving one.',
  ),
  own_people: tuning(
    setting(
      CHECKING,
      listOf(plainText('a name of at least two letters', (text) => (/\p{L}.*\p{L}/u.test(text) ? text.trim() : null))),
      [],
      'Names of people of the own organisation, which are suspicious outside the domains of its brands (lurecheck brand add).',
    ),
  ),
  sender_memory_days: tuning(
    setting(
      CHECKING,
      wholeNumber(0, 3650),
      0,
      'Days that confirmed senders of mails are remembered, as keyed hashes, since known ones are less suspicious; 0 remembers none.',
    ),
  ),
  message_warn_threshold: tuning(
    setting(
      CHECKING,
      orNone(numberBetween(0, 1)),
      null,
      'Probability from which on a mail is warned about, below message_block_threshold; set by the model by default.',
    ),
  ),
  message_block_threshold: tuning(
    setting(
      CHECKING,
      orNone(numberBetween(0, 1)),
      null,
      'Probability from which on a mail is blocked; set by the model by default.',
    ),
  ),
};

/** Values of {@link MESSAGE_SETTINGS}. */
export type MessageSettingValues = SettingValues<typeof MESSAGE_SETTINGS>;

/** Thresholds among these. */
export type MessageThresholdSettings = Pick<MessageSettingValues, 'message_warn_threshold' | 'message_block_threshold'>;

/** Settings that a verdict takes. */
export type MessageVerdictSettings = MessageThresholdSettings & Pick<MessageSettingValues, 'own_people'>;

/** The warning threshold must be below the block threshold; otherwise no warning is possible. */
export const MESSAGE_THRESHOLD_RULE: SettingRule<MessageThresholdSettings> = {
  between: ['message_warn_threshold', 'message_block_threshold'],
  problem(chosen) {
    const { warn, block } = messageThresholds(chosen);
    return warn < block
      ? null
      : `message_warn_threshold is ${warn}, but must be below message_block_threshold, which is ${block}`;
  },
};

/** Returns the thresholds of messages: the operator's, or else the model's. */
export function messageThresholds({
  message_warn_threshold,
  message_block_threshold,
}: MessageThresholdSettings): Thresholds {
  const { warn, block } = messageModel.thresholds;
  return { warn: message_warn_threshold ?? warn, block: message_block_threshold ?? block };
}
