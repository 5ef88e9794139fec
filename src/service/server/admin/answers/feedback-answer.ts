import { type Static, Type } from '@sinclair/typebox';
import { CoverageSchema, DecisionSchema } from '#src/checks/record/check-result.ts';
import { DecidedBySchema, ViaSchema } from '#src/checks/record/decided-by.ts';
import { ShortReasonSchema } from '#src/checks/record/short-reason.ts';
import { stringEnum } from '#src/checks/record/string-enum.ts';
import { FEEDBACK_STATES, FEEDBACK_VERDICTS } from '#src/checks/store/feedback/feedback-schema.ts';
import { nullable } from '#src/core/base/text/nullable.ts';

const FeedbackCheckSchema = Type.Object(
  {
    request_id: Type.String({ description: 'Id of the check' }),
    url: Type.String({ description: 'Its URL, as the public log has it' }),
    decision: DecisionSchema,
    malicious_probability: Type.Number({ minimum: 0, maximum: 1, description: 'Its probability at the time' }),
    model_version: nullable(Type.String(), 'Model of the check'),
    timestamp: Type.String({ format: 'date-time', description: 'When the check began' }),
    coverage: Type.Union([CoverageSchema, Type.Null()], {
      description: 'As in the history; null if the log has the check no more',
    }),
    caution: Type.Union([Type.Boolean(), Type.Null()], { description: 'Likewise' }),
    via: ViaSchema,
    decided_by: DecidedBySchema,
    reasons: Type.Array(ShortReasonSchema, { maxItems: 3, description: 'The strongest reasons' }),
  },
  { $id: 'FeedbackCheck', description: 'The public check that a report is about' },
);

export const FeedbackItemSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Number of the report' }),
    etag: Type.String({ description: 'Value of `If-Match` for a change' }),
    state: stringEnum(FEEDBACK_STATES, { description: 'State of the report' }),
    url: Type.String({ description: 'The reported URL, secrets masked' }),
    verdict: stringEnum(FEEDBACK_VERDICTS, { description: 'What was reported' }),
    comment: nullable(Type.String(), 'Comment; null for none'),
    created_at: Type.String({ format: 'date-time', description: 'When it was received' }),
    entry: nullable(Type.String(), 'List entry that was made of it; null if none was'),
    check: Type.Union([FeedbackCheckSchema, Type.Null()], { description: 'The check; null for a bare URL' }),
    default_entry: nullable(Type.String(), 'Entry that accepting adds by default; null if none can cover the URL'),
    default_expires: nullable(Type.String({ format: 'date-time' }), 'When that entry expires by default'),
  },
  { $id: 'FeedbackItem', description: 'A report on a verdict' },
);

export const FeedbackPageSchema = Type.Object(
  {
    items: Type.Array(FeedbackItemSchema, { description: 'Reports, latest first' }),
    next_cursor: nullable(Type.String(), '`cursor` of the next page; null at the end'),
  },
  { $id: 'FeedbackPage', description: 'A page of reports' },
);

/** A report on a verdict. */
export type FeedbackItem = Static<typeof FeedbackItemSchema>;

/** A page of the queue. */
export type FeedbackPage = Static<typeof FeedbackPageSchema>;
