import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/string-enum.ts';
import { FEEDBACK_VERDICTS } from '#src/checks/store/feedback/feedback-schema.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import type { FieldFault } from '../http/field-errors.ts';
import { parseJsonObject } from '../http/json-body.ts';
import { badFields, refuse } from '../http/problem.ts';
import { LIMITED_REFUSALS, refusals } from '../http/refusals.ts';
import { ownHost, ownSite, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import { type QuotaParts, takeFeedbackPlace } from '../limiter/counted.ts';

/** The most characters (UTF-16 code units) that a comment may have. */
const MAX_COMMENT_LENGTH = 500;

const textFault: FieldFault = (value) =>
  typeof value === 'string' ? null : { code: 'invalid_body', message: 'must be a string' };

const commentFault: FieldFault = (value) => {
  if (typeof value !== 'string') return textFault(value);
  if (value.length <= MAX_COMMENT_LENGTH) return null;
  const message = `must be at most ${MAX_COMMENT_LENGTH} characters long, this one has ${value.length}`;
  return { code: 'invalid_body', message };
};

const verdictFault: FieldFault = (value) =>
  FEEDBACK_VERDICTS.some((verdict) => verdict === value)
    ? null
    : { code: 'invalid_body', message: `must be one of ${FEEDBACK_VERDICTS.join(', ')}` };

/** A report on a link. */
export const FeedbackRequestSchema = Type.Object(
  {
    request_id: Type.Optional(
      Type.String({
        description: 'Id of the public check, or the number on the page of a blocked site',
        fault: textFault,
      }),
    ),
    url: Type.Optional(
      Type.String({
        description: 'The URL, if there is no `request_id`',
        fault: textFault,
      }),
    ),
    verdict: stringEnum<(typeof FEEDBACK_VERDICTS)[number]>(FEEDBACK_VERDICTS, {
      description: 'Correct classification of the link',
      fault: verdictFault,
    }),
    comment: Type.Optional(
      Type.String({
        maxLength: MAX_COMMENT_LENGTH,
        description: 'Comment for the operator, at most 500 characters (UTF-16 code units)',
        fault: commentFault,
      }),
    ),
  },
  {
    $id: 'FeedbackRequest',
    additionalProperties: false,
    description: 'Correct classification of a link, by `request_id`, `url` or both',
  },
);

type FeedbackRequest = Static<typeof FeedbackRequestSchema>;

/** Receipt of feedback, identical whether or not it is stored. */
export const FeedbackReceiptSchema = Type.Object(
  { received: Type.Literal(true, { description: 'Always `true`' }) },
  { $id: 'FeedbackReceipt', description: 'The same answer for every report' },
);

/** A feedback report with the limiter's key of its client. */
export interface GivenFeedback extends FeedbackRequest {
  readonly client: string;
}

export interface FeedbackRouteParts extends QuotaParts, SiteParts {
  /** Takes feedback; returns before it is examined, so that the answer does not reveal what is known about a link. */
  readonly takeFeedback: (given: GivenFeedback) => void;
}

/** `POST /api/feedback`: “this is wrong”. */
export const feedbackRoute = routesWith<FeedbackRouteParts>().post(
  '/api/feedback',
  ({ body, request, status, service }) => {
    service.takeFeedback({ ...body, client: service.quota.clientOf(request) });
    return status(202, { received: true });
  },
  {
    parse: [takeFeedbackPlace, ownSite, ownHost, parseJsonObject],
    beforeHandle({ body }) {
      if (body.request_id !== undefined || body.url !== undefined) return;
      const message = 'is required, or url in its place';
      refuse(badFields([{ field: 'request_id', code: 'invalid_body', message }]));
    },
    body: documented(FeedbackRequestSchema, {
      description: 'JSON of at most 32 KiB, not encoded.',
      example: EXAMPLES.feedbackRequest,
    }),
    response: {
      202: answer(FeedbackReceiptSchema, {
        description: 'The report was received.',
        example: { received: true },
        headers: ['RateLimit-Policy', 'RateLimit'],
      }),
      ...refusals(...LIMITED_REFUSALS),
    },
    detail: {
      operationId: 'giveFeedback',
      tags: ['Checks'],
      summary: 'Report a wrong verdict',
      description:
        'Stores a report for the operator; it changes no verdict by itself. The answer is always the same. Nothing is stored ' +
        'for an unknown id, the id of a private check, a text that is not a URL, a repeated report, or if the queue is full. ' +
        'The URL and the comment are stored with their secrets masked, the client as a keyed hash. Reports have their own ' +
        'limit, or that of a key with the scope `feedback`.',
    },
  },
);
