import { expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { FormatRegistry, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { apiDocument } from '#src/app/parts/api-document.ts';
import { AboutSchema } from '#src/checks/record/about.ts';
import { CheckResultSchema } from '#src/checks/record/check-result.ts';
import { HistoryPageSchema, HistorySummarySchema } from '#src/checks/record/history-page.ts';
import { StatsSchema } from '#src/checks/record/stats.ts';
import { TodaysVerdictSchema } from '#src/checks/record/todays-verdict.ts';
import { SessionSchema } from '#src/parts/console/answers/console-answers.ts';
import { BatchAnswerSchema } from '#src/service/server/check/batch-answer.ts';
import { BatchRequestSchema } from '#src/service/server/check/batch-request.ts';
import { CheckRequestSchema } from '#src/service/server/check/check-request.ts';
import { nameSchemas } from '#src/service/server/docs/openapi.ts';
import { FeedbackReceiptSchema, FeedbackRequestSchema } from '#src/service/server/feedback/feedback-route.ts';
import { HealthSchema, NotReadySchema, ReadinessSchema } from '#src/service/server/health-routes.ts';
import { ANSWER_HEADERS } from '#src/service/server/http/documented.ts';
import { ProblemSchema } from '#src/service/server/http/problem.ts';
import { MessageAnswerSchema } from '#src/service/server/message/message-answer.ts';
import { MessageRequestSchema } from '#src/service/server/message/message-request.ts';
import {
  ResultVerificationSchema,
  SignedSchema,
  SignRequestSchema,
  VerificationSchema,
  VerifyRequestSchema,
} from '#src/service/server/results/results-routes.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { CONSOLE_OPERATIONS, OPERATOR_SCHEMAS } from './console-schemas.ts';
import { startServer } from './running-server.ts';

const document = await apiDocument('');

/** The schemas of the bodies, by the names that they have in the document. */
const SCHEMAS = {
  CheckRequest: CheckRequestSchema,
  BatchRequest: BatchRequestSchema,
  BatchAnswer: BatchAnswerSchema,
  MessageRequest: MessageRequestSchema,
  MessageAnswer: MessageAnswerSchema,
  CheckResult: CheckResultSchema,
  HistoryPage: HistoryPageSchema,
  HistorySummary: HistorySummarySchema,
  Stats: StatsSchema,
  About: AboutSchema,
  ...OPERATOR_SCHEMAS,
  VerifyRequest: VerifyRequestSchema,
  Verification: VerificationSchema,
  ResultVerification: ResultVerificationSchema,
  TodaysVerdict: TodaysVerdictSchema,
  SignRequest: SignRequestSchema,
  SignedResult: SignedSchema,
  FeedbackRequest: FeedbackRequestSchema,
  FeedbackReceipt: FeedbackReceiptSchema,
  Problem: ProblemSchema,
  Health: HealthSchema,
  Readiness: ReadinessSchema,
  NotReady: NotReadySchema,
  Session: SessionSchema,
};

FormatRegistry.Set('date-time', (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text));
FormatRegistry.Set('uuid', (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text));
FormatRegistry.Set('uri-reference', (text) => URL.canParse(text, 'http://localhost/'));

/** Every object inside a JSON value, with its path. */
function* objectsOf(value: unknown, path = ''): Generator<[path: string, object: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, Object.fromEntries(Object.entries(value))];
  for (const [key, member] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* objectsOf(member, `${path}/${key}`);
  }
}

/** The example of a body, or all of them by their names; something that is none where there is none at all. */
function examplesOf({ example, examples }: Record<string, unknown>): unknown[] {
  if (typeof examples !== 'object' || examples === null) return [example];
  return Object.values(examples).map((named) => named.value);
}

test('the document is valid OpenAPI 3.1 and its references resolve', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(JSON.parse(JSON.stringify(document))));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
  expect(() => validator.resolveRefs()).not.toThrow();
});

test('the service returns the document, and a base path prefixes its paths', async () => {
  await using server = startServer({ settings: { base_path: '/phish' } });
  const response = await fetch(`${server.url}/phish/swagger/json`);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(await apiDocument('/phish'))));
  expect(Object.keys((await apiDocument('/phish')).paths)).toContain('/phish/api/check-url');
});

test('every operation has a summary and a description, and every parameter, header, response and field has one', () => {
  const undescribed: string[] = [];
  for (const [path, object] of objectsOf(document)) {
    const needsDescription =
      'operationId' in object ||
      /\/(properties|responses|headers|parameters|schemas)\/[^/]+$/.test(path) ||
      path.endsWith('/requestBody');
    if (needsDescription && !('$ref' in object) && !object['description']) undescribed.push(path);
    if ('operationId' in object && !object['summary']) undescribed.push(path);
  }
  expect(undescribed).toEqual([]);
});

test('every body has an example that is valid by its schema', () => {
  const checked: string[] = [];
  for (const [path, media] of objectsOf(document)) {
    // The document does not hold itself as an example.
    if (
      !/\/content\/application\/(?:[^/]+\+)?json$/.test(path) ||
      path.includes('/swagger/json/') ||
      path.includes('/openapi.json/')
    )
      continue;
    const name = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(media['schema']))?.[1];
    const schema = Object.entries(SCHEMAS).find(([key]) => key === name)?.[1];
    if (!schema) throw new Error(`${path} has no named schema`);
    for (const example of examplesOf(media)) {
      expect([path, ...Value.Errors(schema, example)]).toEqual([path]);
      checked.push(path);
    }
  }
  expect(checked.length).toBeGreaterThan(30);
});

test('the example of a problem describes the error in a sentence, and names the field', () => {
  const examples = [...objectsOf(document)].flatMap(([path, media]) =>
    path.endsWith('/content/application~1problem+json') || path.endsWith('/content/application/problem+json')
      ? examplesOf(media)
      : [],
  );
  const known = Object.values(document.components.schemas).flatMap((schema) =>
    'properties' in schema ? Object.keys(schema.properties ?? {}) : [],
  );
  const problems = examples.map((example) => parseAs(ProblemSchema, example));
  expect(new Set(problems.map(({ code }) => code)).size).toBeGreaterThan(18);
  for (const { code, detail, errors = [] } of problems) {
    expect([code, detail]).toEqual([code, expect.stringMatching(/^\S.* .*\.$/s)]);
    for (const { field } of errors) {
      expect([field, known.includes(field) || field === 'limit']).toEqual([field, code !== 'unknown_member']);
      expect(detail).toContain(field);
    }
  }
});

test('each operation names the problems that it can return', () => {
  const problems = [...objectsOf(document)].flatMap(([, object]) => {
    if (!('operationId' in object)) return [];
    const codes = JSON.stringify(object['responses']).matchAll(/"code":"(\w+)"/g);
    return [`${object['operationId']}: ${[...new Set(Array.from(codes, ([, code]) => code))].toSorted().join(' ')}`];
  });
  expect(problems).toMatchSnapshot();
});

test('the answers of the server are valid by their schemas', async () => {
  await using server = startServer();
  const bodies = {
    CheckResult: await (await server.check({ url: 'http://example.com/' })).json(),
    Problem: await (await server.check({ url: 5 })).json(),
    HistoryPage: await (await fetch(`${server.url}/api/history`)).json(),
    Stats: await (await fetch(`${server.url}/api/stats`)).json(),
    Health: await (await fetch(`${server.url}/livez`)).json(),
  };
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const body = Object.entries(bodies).find(([key]) => key === name)?.[1];
    if (body !== undefined) expect([name, ...Value.Errors(schema, body)]).toEqual([name]);
  }
});

const giveFeedback = async (url: string) =>
  await fetch(`${url}/api/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'http://example.com/', verdict: 'benign' }),
  });

test('an answer has exactly the documented headers', async () => {
  await using server = startServer({ settings: { rate_limit: 1, feedback_limit: 1 } });
  const known = Object.keys(ANSWER_HEADERS);
  const answers = [
    ['/api/check-url', 'post', await server.check({ url: 'http://example.com/' })],
    ['/api/check-url', 'post', await server.check({ url: 'http://example.com/' })],
    ...(await Promise.all([1, 2].map(async () => ['/api/feedback', 'post', await giveFeedback(server.url)] as const))),
    ...(await Promise.all(
      Object.entries(document.paths).flatMap(([path, { get }]) =>
        get ? [fetch(`${server.url}${path}`).then((response) => [path, 'get', response] as const)] : [],
      ),
    )),
  ] as const;
  expect(answers.length).toBeGreaterThan(10);
  for (const [path, method, { status, headers }] of answers) {
    const declared = document.paths[path]?.[method]?.responses[status] ?? {};
    const names = 'headers' in declared ? Object.keys(declared.headers ?? {}) : [];
    expect([path, status, names.toSorted()]).toEqual([path, status, known.filter((n) => headers.has(n)).toSorted()]);
  }
});

test('a parameter has an example or a range if its name does not explain it', () => {
  const examples = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get && 'parameters' in get ? [[path, get.parameters]] : [],
  );
  expect(Object.fromEntries(examples)['/api/history']).toMatchObject([
    { name: 'kind', example: 'url', schema: { enum: ['url', 'message'], default: 'url' } },
    { name: 'limit', example: 50, schema: { type: 'integer', minimum: 1, maximum: 500, default: 50 } },
    { name: 'cursor' },
    { name: 'after' },
    { name: 'wait', example: 20, schema: { type: 'integer', minimum: 0, maximum: 60, default: 20 } },
    { name: 'decision', example: 'block' },
    { name: 'coverage', example: 'url_only' },
    { name: 'caution' },
    ...['via', 'list', 'entry', 'reason'].map((name) => ({ name, example: expect.any(String) })),
    { name: 'model_version' },
    { name: 'domain', example: 'example.com' },
    { name: 'q', example: 'verify-account', schema: { maxLength: 512 } },
    { name: 'from', example: '2026-01-31' },
    { name: 'until', example: '2026-01-31T12:00:00Z' },
  ]);
  expect(examples.map(([path]) => path).toSorted()).toEqual([
    '/',
    '/api/admin/audit',
    '/api/admin/backups/{name}',
    '/api/admin/checks',
    '/api/admin/checks/{request_id}',
    '/api/admin/feedback',
    '/api/admin/gate',
    '/api/admin/list-entries',
    '/api/admin/lists/{name}',
    '/api/admin/lists/{name}/versions',
    '/api/history',
    '/api/history/private',
    '/api/history/summary',
    '/api/screenshots/{request_id}',
    '/feeds/{feed}',
    '/help',
    '/openapi.json',
    '/readyz',
    '/swagger',
    '/swagger/json',
  ]);
});

test('every parameter has a type, and every type is a JSON type', () => {
  const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
  const wrong: string[] = [];
  for (const [path, schema] of objectsOf(document)) {
    if (path.endsWith('/schema') && path.includes('/parameters/') && !('type' in schema || '$ref' in schema))
      wrong.push(path);
    if (
      !path.endsWith('/properties') &&
      'type' in schema &&
      [schema['type']].flat().some((type) => !types.includes(String(type)))
    )
      wrong.push(path);
  }
  expect(wrong).toEqual([]);
});

test('checks and batches document the parameter for the short view', () => {
  for (const path of ['/api/check-url', '/api/check-url/stream', '/api/check-urls'])
    expect(document.paths[path]?.['post']).toMatchObject({
      parameters: [{ name: 'view', example: 'short', schema: { enum: ['short'] } }],
    });
});

test('every operation has one of the described tags, and every tag describes operations', () => {
  const { tags } = parseAs(Type.Object({ tags: Type.Array(Type.Object({ name: Type.String() })) }), document);
  const used = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => ('tags' in operation ? operation.tags : [])),
  );
  expect(used.filter((own) => !Array.isArray(own) || own.length !== 1)).toEqual([]);
  expect(new Set(used.flat())).toEqual(new Set(tags.map(({ name }) => name)));
});

test('every route is in the document', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    [
      ...['checkUrl', 'checkUrls', 'checkMessage', 'checkUrlInStages', 'listHistory', 'listPrivateHistory'],
      ...['readScreenshot', 'summarizeHistory', 'readStats', 'verifyResult', 'verifyResultToday', 'signResult'],
      ...['readAbout', 'giveFeedback', 'pullFeed', 'listMispModules', 'queryMispModule', 'isLive', 'isReady'],
      ...['signIn', 'readSession', 'signOut', 'listKeys', 'createKey', 'updateKey', 'revokeKey', 'listAuditEntries'],
      ...CONSOLE_OPERATIONS,
      ...['readPage', 'readManual', 'readDocumentation', 'readOpenApi', 'readOpenApiFile'],
    ].sort(),
  );
});

test('every object in the document has a name, and null is part of the type of a nullable member', () => {
  const nameless: string[] = [];
  // An enum that listed null would be another one than its name says.
  const enums = Object.entries(document.components.schemas).filter(([, schema]) => 'enum' in schema);
  const enumsOrNull = enums.map(([name]) => [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }]);
  const nullsOfEnums = new Set<string>();
  for (const [path, schema] of objectsOf(document)) {
    const isNamed = /^\/components\/schemas\/\w+$/.test(path);
    const isObject = 'properties' in schema || [schema['type']].flat().includes('object');
    if (isObject && !isNamed && /\/(schemas?|properties|items)\//.test(`${path}/`)) nameless.push(path);
    // What is one of several shapes is so by a member of theirs, never by being null.
    if (enumsOrNull.some((shapes) => Bun.deepEquals(schema['oneOf'], shapes))) nullsOfEnums.add(`${path}/oneOf/1`);
    const isNull = schema['type'] === 'null' && !nullsOfEnums.has(path);
    if ('anyOf' in schema || 'allOf' in schema || isNull) nameless.push(path);
    if ('patternProperties' in schema) nameless.push(path);
  }
  expect(nameless).toEqual([]);
  expect(Object.keys(document.components.schemas).length).toBeGreaterThan(30);
});

test('members that are always present are required', () => {
  const optional: string[] = [];
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const { properties = {}, required = [] }: { properties?: object; required?: string[] } = schema;
    for (const member of Object.keys(properties)) if (!required.includes(member)) optional.push(`${name}.${member}`);
  }
  const allowed = [
    'CheckRequest.private_mode',
    'CheckRequest.visit',
    'CheckRequest.screenshot',
    ...['Screenshot.fields', 'Screenshot.own_picture'],
    'GateMark.user',
    'GateMark.queue_id',
    'AnalysisDetails.landing',
    'AnalysisDetails.gate',
    'Problem.errors',
    'BatchUrl.visit',
    'BatchRequest.private_mode',
    'ItemProblem.errors',
    'ItemProblem.retry_after_seconds',
    ...['source', 'headers', 'from', 'subject', 'text', 'html'].map((member) => `MessageRequest.${member}`),
    ...['MessageRequest.private_mode', 'MessageRequest.visit'],
    'HistoryPage.searched_back_to',
    'Stats.fleet',
    'Stats.rescored',
    ...['NewKey.limit', 'NewKey.expires_at', 'KeyChange.scopes', 'KeyChange.limit', 'KeyChange.expires_at'],
    ...['format', 'action', 'weight', 'expires', 'skip_invalid', 'allow_empty'].map((member) => `NewList.${member}`),
    ...['popular', 'held_back', 'left_out', 'omitted', 'removed'].map((member) => `VerdictPreview.${member}`),
    ...['format', 'action', 'weight', 'expires', 'skip_invalid', 'allow_empty'].map(
      (member) => `ListContent.${member}`,
    ),
    ...['NewListEntry.action', 'NewListEntry.expires', 'NewListEntry.comment'],
    ...['EntryRemoval.entries', 'EntryRemoval.search'],
    ...['FeedbackChange.entry', 'FeedbackChange.expires', 'ModelComparisonRequest.limit'],
    ...['NewBrand.name', 'NewBrand.domains', 'NewBrand.domain', 'NewBrand.html'],
    ...['LoggedCheck.result', 'LoggedCheck.message'],
    'FeedbackRequest.request_id',
    'FeedbackRequest.url',
    'FeedbackRequest.comment',
    'MispQuestion.module',
    'MispQuestion.attribute',
    'MispQuestion.config',
    'MispAnswer.results',
    'MispAnswer.error',
    ...['Readiness.conditions', 'Readiness.parts'],
    'NotReady.errors',
    ...['NotReady.conditions', 'NotReady.parts'],
  ];
  expect(new Set(optional.filter((member) => !member.endsWith('.truncated')))).toEqual(new Set(allowed));
});

test('a lookup has separate shapes for success and failure, distinguished by its status', () => {
  for (const name of ['DnsRecords', 'WhoisInfo', 'CertInfo']) {
    expect(document.components.schemas[name]).toMatchObject({
      oneOf: [{ $ref: `#/components/schemas/${name}Found` }, { $ref: '#/components/schemas/MissedLookup' }],
    });
    expect(document.components.schemas[`${name}Found`]).toMatchObject({ properties: { status: { const: 'ok' } } });
  }
});

test('two schemas cannot have the same name', () => {
  const schemas = {};
  nameSchemas({ $id: 'A', type: 'object', description: 'the first' }, schemas);
  expect(() => nameSchemas({ $id: 'A', type: 'object' }, schemas)).toThrow('two schemas have the name A');
});
