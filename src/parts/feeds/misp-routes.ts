import { describeMessageVerdict } from '#src/checks/record/message-verdict.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import {
  keyIn,
  MISP_MODULE,
  MispModulesSchema,
  MispQuestionSchema,
  readQuestion,
} from '#src/parts/feeds/misp/question.ts';
import {
  type MispAnswer,
  MispAnswerSchema,
  mailVerdictObject,
  verdictObject,
} from '#src/parts/feeds/misp/verdict-object.ts';
import type { CheckConnection } from '#src/service/server/check/check-route.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { documented } from '#src/service/server/http/documented.ts';
import { parseJsonObject } from '#src/service/server/http/json-body.ts';
import { type Problem, ProblemError, refuse } from '#src/service/server/http/problem.ts';
import type { ProblemCode } from '#src/service/server/http/problem-kinds.ts';
import { refusals } from '#src/service/server/http/refusals.ts';
import { ownHost, ownSite } from '#src/service/server/http/request-site.ts';
import { routesWith, type WithService } from '#src/service/server/http/routes-with.ts';
import { bearerOf, type ReadCredential } from '#src/service/server/keys/bearer.ts';
import type { QuotaContext } from '#src/service/server/limiter/quota.ts';
import type { MessageRouteParts } from '#src/service/server/message/message-route.ts';

/** Dependencies of the routes for MISP. */
interface MispRouteParts
  extends Pick<
    MessageRouteParts,
    'check' | 'quota' | 'isOwnHost' | 'ownNames' | 'arrivalOf' | 'silenceSeconds' | 'readMail'
  > {
  readonly misp: { isOn(): boolean };
}

const SWITCHED_OFF: Problem = { code: 'switched_off', detail: 'The operator has not enabled the module for MISP.' };

function requireMisp({ service }: WithService<MispRouteParts>): void {
  refuse(service.misp.isOn() ? null : SWITCHED_OFF);
}

/** Marks a body that could not be read, which has an answer like any other question. */
const unreadable = new WeakMap<object, string>();

async function readBody({ request }: { readonly request: Request }): Promise<object> {
  try {
    return await parseJsonObject({ request });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const body = {};
    unreadable.set(body, error.problem.detail);
    return body;
  }
}

/** Refusals that MISP must see as such; of a refused request it shows nothing else, so that others are a sentence. */
const SHOWN: readonly ProblemCode[] = ['unauthorized', 'forbidden_scope'];

async function answerQuery(
  body: object,
  { request, server, set }: CheckConnection & QuotaContext,
  { check, quota, arrivalOf, silenceSeconds, readMail }: MispRouteParts,
): Promise<MispAnswer> {
  try {
    await quota.takePlace({ request, server, set }, credentialIn(body));
    const problem = unreadable.get(body);
    if (problem !== undefined) return { error: problem };
    const question = readQuestion(body);
    if ('error' in question) return question;
    const { subject, visit, attributeUuid } = question;
    server?.timeout(request, silenceSeconds);
    if ('header' in subject) {
      const mail = await readMail(new TextEncoder().encode(`${subject.header.trim()}\r\n\r\n`), request.signal);
      return mailVerdictObject(describeMessageVerdict(mail.assess([])), attributeUuid);
    }
    const client = quota.clientOf(request);
    const order = {
      ...arrivalOf(request),
      ...subject,
      visit,
      client,
      visibility: 'private',
      via: 'misp',
      left: request.signal,
    } as const;
    return verdictObject(await check.check(order), attributeUuid);
  } catch (error) {
    if (error instanceof ProblemError && !SHOWN.includes(error.problem.code)) return { error: error.problem.detail };
    if (error instanceof UnavailableError) return { error: error.message };
    throw error;
  }
}

/** Reads the key in the header, or else the one in the settings of the module. */
function credentialIn(body: object): ReadCredential {
  const secret = keyIn(body);
  return (headers, keys) => {
    const shown = bearerOf(headers, keys);
    if (shown.kind !== 'none' || secret === null) return shown;
    const key = keys.find(secret);
    return key ? { kind: 'key', key } : { kind: 'unknown' };
  };
}

const EXAMPLE_QUESTION = {
  module: 'lurecheck',
  attribute: { type: 'url', value: 'http://paypal-login.example/', uuid: '5d9f1e2a-4c6b-4f6e-9c9e-7d1f5a0f3b11' },
};

/** `GET /modules` and `POST /query`: what MISP asks a service of misp-modules or Cortex. */
export const mispRoutes = routesWith<MispRouteParts>()
  .get('/modules', () => [MISP_MODULE], {
    transform: [requireMisp, ownHost],
    response: {
      200: answer(MispModulesSchema, { description: 'The module.', example: [MISP_MODULE] }),
      ...refusals('switched_off', 'misdirected', 'internal'),
    },
    detail: {
      operationId: 'listMispModules',
      tags: ['Feeds'],
      summary: 'List modules for MISP',
      description: 'What MISP asks before it shows a module, if the operator enabled it (`misp`).',
    },
  })
  .post('/query', ({ body, request, server, set, service }) => answerQuery(body, { request, server, set }, service), {
    parse: [requireMisp, ownSite, ownHost, readBody],
    body: documented(MispQuestionSchema, { description: 'JSON of at most 32 KiB.', example: EXAMPLE_QUESTION }),
    response: {
      200: answer(MispAnswerSchema, {
        description: 'The verdict, or why there is none.',
        example: { error: 'The only module here is lurecheck.' },
        headers: ['RateLimit-Policy', 'RateLimit'],
      }),
      ...refusals('unauthorized', 'forbidden_scope', 'cross_site', 'switched_off', 'misdirected', 'internal'),
    },
    detail: {
      operationId: 'queryMispModule',
      tags: ['Feeds'],
      summary: 'Classify an attribute of MISP',
      description:
        'A private check of the link, the name or the header of a mail in an attribute, with or without a key of scope `check`: as `Authorization: ' +
        'Bearer`, or as `config.key`. It visits nothing unless `config.visit` allows it. Every answer is 200, since of any ' +
        'other MISP shows the status alone, but for a key that does not hold.',
    },
  });
