import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { type Masking, startMasking } from '#src/checks/record/redact/mask.ts';
import { redactText, redactUrl } from '#src/checks/record/redact/redact-text.ts';
import { isUnreadable } from '#src/checks/record/stored-result.ts';
import { hasFeedback } from '#src/checks/store/feedback/feedback-file.ts';
import type { FeedbackQueue, NewFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { FEEDBACK_VERDICTS } from '#src/checks/store/feedback/feedback-schema.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { runEvery } from '#src/checks/store/upkeep/run-every.ts';
import { type Clock, DAY_MS, HOUR_MS, oncePerMinute } from '#src/core/base/clock.ts';
import { lazily } from '#src/core/base/lazily.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { type FieldFault, textFault, textField } from '../http/field-errors.ts';
import { parseJsonObject } from '../http/json-body.ts';
import { badFields, refuse } from '../http/problem.ts';
import { LIMITED_REFUSALS, refusals } from '../http/refusals.ts';
import { ownHost, ownSite, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import { type QuotaParts, takeFeedbackPlace } from '../limiter/counted.ts';
import { keyNameOf } from '../limiter/quota.ts';

/** Dependencies of the intake of feedback. */
interface FeedbackParts {
  readonly log: Pick<ScanLog, 'find'>;
  readonly dataDir: string;
  /** Retention in days; 0 for no limit. */
  readonly retentionDays: number;
  readonly hashOf: (client: string) => Buffer;
  /** Called with what was stored, masked. */
  readonly onStored: (feedback: Pick<NewFeedback, 'url' | 'verdict' | 'requestId'>) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Stores feedback one report at a time, after the response. Disposing of it waits for pending reports. */
export interface FeedbackIntake extends AsyncDisposable {
  take(given: GivenFeedback): void;
}

/** More are not examined: each takes milliseconds, and comes from a client within its limit. */
const MAX_WAITING = 200;

/** Starts the intake. The queue is opened with the first report, so that hosts without feedback have no file. */
export function openFeedbackIntake(parts: FeedbackParts): FeedbackIntake {
  const { dataDir, retentionDays, clock, logger } = parts;
  let queue: FeedbackQueue | null = null;
  let waiting = 0;
  let last = Promise.resolve();
  const opened = lazily(async () => {
    const { openFeedback } = await import('#src/checks/store/feedback/feedback-queue.ts');
    const onReplaced = (keptAs: string, error: unknown) => logger.error('feedback.replaced', { keptAs, error });
    queue = openFeedback({ dataDir, now: clock.now, onReplaced });
    return queue;
  });
  const forgetting = runEvery(
    HOUR_MS,
    async () => {
      if (retentionDays === 0 || !hasFeedback(dataDir)) return;
      const forgotten = last.then(async () => void (await opened()).forget(clock.now() - retentionDays * DAY_MS));
      last = forgotten.catch(() => {});
      await forgotten;
    },
    (error) => logger.error('feedback.purge_failed', { error }),
  );

  const reportFull = oncePerMinute<void>(clock, (_, refused) => logger.warn('feedback.full', { refused }));

  async function keep(given: GivenFeedback): Promise<void> {
    try {
      const read = await readFeedback(given, parts);
      if (read === null) return;
      const taken = (await opened()).take(read);
      if (taken === 'full') reportFull();
      if (taken === 'kept') parts.onStored(read);
      const key = keyNameOf(given.client);
      // Audit only feedback by key: other reporters are anonymous and could flood the audit log.
      if (taken !== 'kept' || key === null) return;
      const { appendAudit } = await import('#src/admin/audit/audit-log.ts');
      appendAudit(dataDir, { key }, { action: 'feedback.give', subject: read.host, detail: { verdict: read.verdict } });
    } catch (error) {
      logger.error('feedback.failed', { error });
    } finally {
      waiting--;
    }
  }

  return {
    take(given) {
      if (waiting >= MAX_WAITING) return;
      waiting++;
      last = last.then(() => keep(given));
    },
    async [Symbol.asyncDispose]() {
      forgetting[Symbol.dispose]();
      await last;
      queue?.[Symbol.dispose]();
    },
  };
}

type About = Pick<NewFeedback, 'url' | 'host' | 'requestId' | 'decision' | 'probability' | 'modelVersion'>;

/** Returns the masked feedback to store; null if it is about nothing that may be stored. */
async function readFeedback(given: GivenFeedback, { log, hashOf, clock }: FeedbackParts): Promise<NewFeedback | null> {
  const masking = startMasking('secrets');
  const { request_id, url } = given;
  // The URL of a private check must not be stored because it came together with the check's id.
  const about = request_id === undefined ? aboutUrl(url, masking) : await aboutCheck(request_id, log);
  if (about === null) return null;
  return {
    ...about,
    receivedAtMs: clock.now(),
    verdict: given.verdict,
    comment: redactText(given.comment ?? '', masking),
    clientHash: hashOf(given.client),
  };
}

/**
 * Returns the public check that feedback is about, or the record of the gate, of which the host alone is used. Other private
 * checks count as unknown.
 */
async function aboutCheck(requestId: string, log: Pick<ScanLog, 'find'>): Promise<About | null> {
  const found = await log.find('public', requestId);
  if (found === null) return await aboutHeld(requestId, log);
  if (isUnreadable(found.result)) return null;
  const { request_id, decision, malicious_probability: probability, analysis_details: details } = found.result;
  const target = targetOf(details.normalized_url);
  return (
    target && {
      ...{ url: details.normalized_url, host: target.host.text, requestId: request_id },
      ...{ decision, probability, modelVersion: details.model_version },
    }
  );
}

async function aboutHeld(requestId: string, log: Pick<ScanLog, 'find'>): Promise<About | null> {
  const held = await log.find('private', requestId);
  if (held === null || isUnreadable(held.result) || held.result.analysis_details.gate === undefined) return null;
  const target = targetOf(held.result.analysis_details.normalized_url);
  return target && { url: `${new URL(target.requestUrl).origin}/`, host: target.host.text };
}

function aboutUrl(url: string | undefined, masking: Masking): About | null {
  const target = url === undefined ? null : targetOf(url);
  return target && { url: redactUrl(target.url, masking), host: target.host.text };
}

function targetOf(url: string): Target | null {
  const target = parseTarget(url);
  return isTargetProblem(target) ? null : target;
}

/** The most characters (UTF-16 code units) that a comment may have. */
const MAX_COMMENT_LENGTH = 500;

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
    request_id: Type.Optional(textField('Id of the public check, or the number on the page of a blocked site')),
    url: Type.Optional(textField('The URL, if there is no `request_id`')),
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
