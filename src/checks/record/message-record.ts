import { type Static, Type } from '@sinclair/typebox';
import type { Visibility } from '#src/core/base/visibility.ts';
import { DecisionSchema, ShortReasonSchema } from './check-result.ts';
import { type Via, ViaSchema } from './decided-by.ts';
import type { MessageVerdict } from './message-verdict.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Kinds of checks. */
export const CHECK_KINDS = ['url', 'message'] as const;

/** A check of a message in a log: its verdict in codes and numbers, without sender, subject, text or link. */
export const MessageItemSchema = Type.Object(
  {
    kind: Type.Literal('message', { description: 'Kind of check' }),
    request_id: Type.String({ format: 'uuid', description: 'UUIDv7 of the check' }),
    malicious_probability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Probability that the message is phishing or a scam',
    }),
    decision: DecisionSchema,
    caution: Type.Boolean({ description: 'True for an `allow` of a message that was not read to its end' }),
    via: ViaSchema,
    reasons: Type.Array(ShortReasonSchema, {
      description: 'All reasons, the strongest first, with weights to one decimal',
    }),
    links: Type.Array(Type.String({ format: 'uuid' }), {
      description: 'Ids of the checks of its links in the same log; some may be deleted',
    }),
    link_count: count('Number of links of the message'),
    unchecked: count('Number of its links without a verdict'),
    unread: count('Number of attachments, pictures and scripts that were not read'),
    is_whole: Type.Boolean({ description: '`false` if links may be missing' }),
    model_version: Type.String({ description: 'Version of the weights that classified it; empty if unknown' }),
    timestamp: Type.String({ format: 'date-time', description: 'When the check began, ISO 8601 UTC' }),
  },
  { $id: 'MessageItem', description: 'A check of a message in the scan history' },
);

export type MessageItem = Static<typeof MessageItemSchema>;

/** A page of the checks of messages. */
export const MessagePageSchema = Type.Object(
  {
    items: Type.Array(MessageItemSchema, { description: 'Checks of messages, latest first' }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Cursor of the next page; null at the end',
    }),
  },
  { $id: 'MessagePage', description: 'A page of the checks of messages' },
);

export type MessagePage = Static<typeof MessagePageSchema>;

/** A finished check of a message, for its log. */
export interface MessageRecord
  extends Pick<
    MessageVerdict,
    'decision' | 'malicious_probability' | 'base_log_odds' | 'thresholds' | 'model_version'
  > {
  readonly request_id: string;
  readonly visibility: Visibility;
  readonly via: Via;
  readonly caution: boolean;
  readonly is_whole: boolean;
  readonly link_count: number;
  readonly unchecked: number;
  readonly unread: number;
  readonly reasons: readonly { readonly code: string; readonly weight: number }[];
  /** Checks of its links; null for a link that was not checked. */
  readonly links: readonly { readonly request_id: string | null }[];
  /** As that of a check. */
  readonly client: string | null;
}
