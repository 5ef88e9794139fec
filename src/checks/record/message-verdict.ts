import { type Static, Type } from '@sinclair/typebox';
import { sigmoid } from '#src/core/base/log-odds.ts';
import type { MessageAssessment } from '#src/engine/mail-verdict/assess-message.ts';
import { MESSAGE_COMPONENTS, type MessageComponent } from '#src/engine/mail-verdict/message-components.ts';
import type { WeighedLink } from '#src/engine/mail-verdict/weighed-message.ts';
import { spokenReason } from '#src/engine/reasons/sentence.ts';
import { boundedText, stringEnum } from './bounded-schema.ts';
import { type CheckResult, DecisionSchema, ReasonArgsSchema, ThresholdsSchema } from './check-result.ts';

const MessageReasonSchema = Type.Object(
  {
    component: stringEnum<MessageComponent>(MESSAGE_COMPONENTS, {
      $id: 'MessageComponent',
      description: 'Component that found it',
    }),
    code: Type.String({ description: 'Stable name of the reason', examples: ['sender.brand_in_name'] }),
    message: boundedText('The reason in a sentence'),
    args: ReasonArgsSchema,
    weight: Type.Number({ description: 'Log-odds (nats) that it adds; positive values indicate phishing' }),
  },
  { $id: 'MessageReason', description: 'Evidence for or against phishing in a message' },
);

/** Members of the verdict on a message, as answers have them. */
export const MESSAGE_VERDICT = {
  decision: DecisionSchema,
  malicious_probability: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Probability that the message is phishing or a scam, by the base rate of the settings',
  }),
  base_log_odds: Type.Number({ description: 'Log-odds (nats) before any evidence, from the base rate' }),
  reasons: Type.Array(MessageReasonSchema, {
    description: 'Complete, the strongest first; `base_log_odds` plus all weights is ln(p / (1 − p))',
  }),
  thresholds: ThresholdsSchema,
  model_version: Type.String({ description: 'Version of the weights that classified the message' }),
} as const;

const VerdictSchema = Type.Object(MESSAGE_VERDICT);

/** Verdict on a message, as answers have it. */
export type MessageVerdict = Static<typeof VerdictSchema>;

/** Returns the result of a link's check as the verdict on the message weighs it. */
export function weighLink(
  url: string,
  { malicious_probability: probability, decision, analysis_details }: CheckResult,
): WeighedLink {
  return { url, probability, decision, isListed: decision === 'block' && analysis_details.decided_by !== null };
}

/** Describes a verdict on a message. */
export function describeMessageVerdict(assessment: MessageAssessment): MessageVerdict {
  const { verdict, decision, thresholds, modelVersion } = assessment;
  return {
    decision,
    malicious_probability: sigmoid(verdict.logOdds),
    base_log_odds: verdict.baseLogOdds,
    reasons: verdict.contributions.map(({ component, weight, ...given }) => {
      const { message, args } = spokenReason(given);
      return { component, code: given.code, message, args, weight };
    }),
    thresholds,
    model_version: modelVersion,
  };
}

/** How much of a message was read. */
interface MessageReading {
  /** False if links may be missing. */
  readonly isWhole: boolean;
  /** Number of its links. */
  readonly links: number;
  /** Number of attachments, pictures and scripts that were not read. */
  readonly unread: number;
}

/** Returns true if an `allow` of a message calls for caution: links may be missing, or it has none, and parts that were not read. */
export function isPartlyRead({ isWhole, links, unread }: MessageReading): boolean {
  return !isWhole || (links === 0 && unread > 0);
}
