import { Type } from '@sinclair/typebox';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { Via } from '#src/checks/record/decided-by.ts';
import { describeMessageVerdict, isPartlyRead, weighLink } from '#src/checks/record/message-verdict.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { MessageAssessment } from '#src/engine/mail-verdict/assess-message.ts';
import type { WeighedLink } from '#src/engine/mail-verdict/weighed-message.ts';
import type { BatchItem } from '../check/batch-answer.ts';
import { readEntries } from '../check/batch-request.ts';
import { type BatchParts, checkBatch } from '../check/batch-route.ts';
import type { CheckConnection, CheckRouteParts } from '../check/check-route.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answer, streamed } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { readQuery } from '../http/known-parameters.ts';
import { prefersEvents } from '../http/negotiation.ts';
import { type ProblemBody, problemBody } from '../http/problem.ts';
import { LIMITED_REFUSALS, refusals } from '../http/refusals.ts';
import { isFromPage, ownHost, ownSite } from '../http/request-site.ts';
import { requireConnected } from '../http/require-connected.ts';
import { routesWith, type WithService } from '../http/routes-with.ts';
import { takeFirstPlace } from '../limiter/counted.ts';
import type { QuotaContext } from '../limiter/quota.ts';
import { type MessageAnswer, MessageAnswerSchema } from './message-answer.ts';
import {
  type MessageQuery,
  MessageQuerySchema,
  type MessageRequestJson,
  MessageRequestSchema,
  mailOf,
  parseMessage,
} from './message-request.ts';

/** A message that was read, ready to be classified by the verdicts on its links. */
export interface ReadMail {
  /** The most important links, as many as are checked. */
  readonly links: readonly string[];
  readonly count: number;
  readonly unread: number;
  readonly isWhole: boolean;
  assess(links: readonly WeighedLink[]): MessageAssessment;
}

/** Dependencies of the route; its links have those of a batch. */
export interface MessageRouteParts extends CheckRouteParts, BatchParts {
  /** Reads a mail, whose bytes must not be used afterwards; what takes too long is left out. */
  readonly readMail: (bytes: Uint8Array<ArrayBuffer>, left: AbortSignal) => Promise<ReadMail>;
  /** Stores the check of a message; it is answered once that is done. Throws UnavailableError if it cannot be logged. */
  readonly onMessage: (message: MessageAnswer, origin: MessageOrigin) => Promise<void>;
}

/** Way of a message, its client, and the log of its check and of those of its links. */
export interface MessageOrigin {
  readonly via: Via;
  readonly visibility: Visibility;
  readonly client: string;
  /** Aborts when the client disconnects. */
  readonly left: AbortSignal;
}

interface MessageContext extends CheckConnection, Pick<QuotaContext, 'set'>, WithService<MessageRouteParts> {
  readonly body: MessageRequestJson;
  readonly query: MessageQuery;
}

/** Checks a mail and reports each of its links as it is checked. */
async function checkMessage(
  mailBytes: Uint8Array<ArrayBuffer>,
  { body, query, request, server, set, service }: MessageContext,
  onLink: (link: CheckedLink) => void = () => {},
): Promise<MessageAnswer> {
  const { requestId, startedAtMs } = service.arrivalOf(request);
  // For as long as it takes: reading has a bound, and each check its deadline.
  server?.timeout(request, 0);
  const mail = await service.readMail(mailBytes, request.signal);
  const { visit = query.visit !== 'false', private_mode: isPrivate = query.private_mode !== 'false' } = body;
  const items = await checkLinks(mail.links, { visit, isPrivate }, { request, set, service }, onLink);
  server?.timeout(request, service.silenceSeconds);
  const results = items.flatMap(({ url, item }) => (item && 'decision' in item ? weighLink(url, item) : []));
  const isWhole = mail.isWhole && !items.some(({ item }) => isPostponed(item));
  const assessment = mail.assess(results);
  const message: MessageAnswer = {
    request_id: requestId,
    timestamp: new Date(startedAtMs).toISOString(),
    ...describeMessageVerdict(assessment),
    links: items.map(({ url, item }) => {
      const result = item && 'decision' in item ? item : null;
      const { malicious_probability = null, decision = null, request_id = null } = result ?? {};
      return { url, malicious_probability, decision, request_id };
    }),
    link_count: mail.count,
    unchecked: mail.count - results.length,
    unread: mail.unread,
    is_whole: isWhole,
    caution: assessment.decision === 'allow' && isPartlyRead({ isWhole, links: mail.count, unread: mail.unread }),
  };
  await service.onMessage(message, {
    via: viaOf(request),
    visibility: isPrivate ? 'private' : 'public',
    client: service.quota.clientOf(request),
    left: request.signal,
  });
  return message;
}

const viaOf = (request: Request) => (isFromPage(request.headers) ? 'page' : 'api');

interface LinkItem {
  readonly url: string;
  /** Absent if its turn did not come. */
  readonly item: BatchItem | undefined;
}

/** Returns true for a link that could be checked, but not now. */
function isPostponed(item: BatchItem | undefined): boolean {
  return item === undefined || ('problem' in item && [429, 503].includes(item.problem.status));
}

/** Checks links as a batch does. The place of the first was taken before the message was read. */
async function checkLinks(
  links: readonly string[],
  { visit, isPrivate }: { readonly visit: boolean; readonly isPrivate: boolean },
  { request, set, service }: Pick<MessageContext, 'request' | 'set' | 'service'>,
  onLink: (link: CheckedLink) => void,
): Promise<LinkItem[]> {
  const entries = readEntries(links.map((url) => ({ url, visit })));
  const refused = entries.length > 1 ? await service.quota.takeMorePlaces({ request, set }, entries.length - 1) : [];
  const items: BatchItem[] = [];
  await checkBatch(
    {
      entries: entries.map((entry, at) => ({ ...entry, refusal: refused[at - 1] ?? null })),
      visibility: isPrivate ? 'private' : 'public',
      via: viaOf(request),
      client: service.quota.clientOf(request),
      left: request.signal,
    },
    service,
    (item, places) => {
      for (const place of places) items[place] = item;
      const [first = -1] = places;
      if ('decision' in item) onLink({ url: links[first] ?? item.url, result: item });
    },
  );
  return links.map((url, at) => ({ url, item: items[at] }));
}

function inEvents(context: MessageContext): Response {
  const { body, request, service } = context;
  const { requestId } = service.arrivalOf(request);
  // Before the answer begins, so that a body without a message is refused.
  const mailBytes = mailOf(body);
  return messageStream((onLink) => checkMessage(mailBytes, context, onLink), {
    sign: service.results.sign,
    problemOf: (error) => problemBody(service.problemOf(error, { requestId, isPrivate: true }), requestId),
  });
}

/** `POST /api/check-message`: the verdict on a mail as a whole. */
export const messageRoute = routesWith<MessageRouteParts>().post(
  '/api/check-message',
  ({ body, query, headers: { accept }, request, server, set, service }) => {
    set.headers.vary = 'accept';
    const context = { body, query, request, server, set, service };
    return prefersEvents(accept) ? inEvents(context) : checkMessage(mailOf(body), context);
  },
  {
    parse: [takeFirstPlace, ownSite, ownHost, parseMessage],
    transform: readQuery,
    query: MessageQuerySchema,
    headers: Type.Object({ accept: Type.Optional(Type.String()) }),
    beforeHandle: requireConnected,
    body: documented(MessageRequestSchema, {
      description: 'JSON, or the mail itself as `message/rfc822`, of at most 2 MiB, not encoded.',
      example: EXAMPLES.messageRequest,
    }),
    response: {
      200: answer(MessageAnswerSchema, {
        description: 'The verdict on the message.',
        example: EXAMPLES.messageAnswer,
        headers: ['RateLimit-Policy', 'RateLimit'],
      }),
      ...refusals(...LIMITED_REFUSALS, 'unexamined'),
    },
    detail: {
      operationId: 'checkMessage',
      tags: ['Checks'],
      summary: 'Check a mail as a whole',
      description:
        'Classifies a mail by its sender, text, attachments and links. Its 50 most important links are checked as by ' +
        '`/api/check-urls`, each counts as one check, and is logged, privately by default, as is the verdict on the mail, ' +
        'in codes and numbers. Subject, addresses and text are never logged. A client whose `Accept` prefers `text/event-stream` to `application/json` gets an event `link` ' +
        '(`{url, result, signature}`) for each link as it is checked, then one `result` (a MessageAnswer) or one `problem`. ' +
        'The receiving server states in `Authentication-Results` if the sender is confirmed: send ' +
        'the mail with all its headers.',
    },
  },
);

/** The check of a link of a message, as it completes. */
interface CheckedLink {
  /** As the message has it. */
  readonly url: string;
  readonly result: CheckResult;
}

interface StreamParts {
  readonly sign: (result: CheckResult) => string;
  readonly problemOf: (error: unknown) => ProblemBody;
}

/**
 * Sends the check of a message as server-sent events (HTML §9.2): a `link` with its result and signature for each link
 * that was checked, then one `result` with the answer on the message, or one `problem`.
 */
function messageStream(
  start: (onLink: (link: CheckedLink) => void) => Promise<MessageAnswer>,
  { sign, problemOf }: StreamParts,
): Response {
  return streamed('text/event-stream', async (send) => {
    const sendEvent = (event: string, data: unknown) => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    try {
      sendEvent('result', await start((link) => sendEvent('link', { ...link, signature: sign(link.result) })));
    } catch (error) {
      sendEvent('problem', problemOf(error));
    }
  });
}
