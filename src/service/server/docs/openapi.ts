import { isDeepStrictEqual } from 'node:util';
import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import { ShortResultSchema } from '#src/checks/record/short-result.ts';
import { VERSION } from '#src/core/base/version.ts';
import { ANSWER_HEADERS, type BodyText } from '../http/documented.ts';
import type { LateRoutes } from '../late-routes.ts';
import { rareRoutes } from '../rare-routes.ts';
import { routes } from '../routes.ts';

/** A schema, as JSON. */
type Schema = { readonly [keyword: string]: unknown };

/** The schema of a body with what is to be said of it. */
interface DocumentedSchema extends Schema {
  readonly documented: BodyText;
}

/** The schema of a body, under each media type that the plugin guesses at. */
type WrittenContent = Readonly<Record<string, { readonly schema: DocumentedSchema }>>;

/** An answer: most keywords of its schema are beside its content. */
interface WrittenAnswer extends DocumentedSchema {
  readonly content?: WrittenContent;
}

/** An operation as `@elysiajs/swagger` writes it from a route's declaration. */
interface WrittenOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly examples?: readonly unknown[] }[];
  readonly requestBody?: { readonly content: WrittenContent };
  readonly responses: Readonly<Record<string, WrittenAnswer>>;
}

/** The parts of an OpenAPI operation that its readers here use. */
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, object>>;
}

/** Headers by which a client negotiates; in a document they are to be ignored (OpenAPI 3.1 §4.8.12.2), or browsers set them. */
const NEGOTIATED = /^accept(-|$)/;

/**
 * An operation as OpenAPI 3.1 wants it. The plugin knows one media type for all bodies of a route, and no place for an
 * example, a header or what an answer means here.
 *
 * @param named puts a schema that has a name where names are kept, and gives the reference to it
 */
function finishOperation(operation: WrittenOperation, named: (schema: Schema) => object): Operation {
  const { parameters = [], requestBody, responses, ...rest } = operation;
  const shown = parameters.filter(({ name }) => !NEGOTIATED.test(name));
  const body = requestBody && schemaOf(requestBody.content);
  return {
    ...rest,
    ...(shown.length > 0 && { parameters: shown.map(finishParameter) }),
    ...(body && { requestBody: { required: true, ...finishBody(body, 'application/json', named) } }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [status, finishAnswer(answer, Number(status), named)]),
    ),
  };
}

function finishParameter({ examples = [], ...parameter }: { readonly examples?: readonly unknown[] }): object {
  return examples.length > 0 ? { ...parameter, example: examples[0] } : parameter;
}

function finishAnswer(answer: WrittenAnswer, status: number, named: (schema: Schema) => object): object {
  const { content, ...keywords } = answer;
  const { headers = [], description } = answer.documented;
  const shown = ['X-Request-Id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  const schema = content && { ...schemaOf(content), ...keywords };
  const mediaType = status < 400 ? 'application/json' : 'application/problem+json';
  // An answer of this status has no body (RFC 9110 §15.3.5).
  const body = status === 204 ? undefined : schema && finishBody(schema, mediaType, named);
  return {
    description,
    headers: Object.fromEntries(shown),
    ...(body && { content: body.content }),
  };
}

function finishBody({ documented, ...schema }: DocumentedSchema, mediaType: string, named: (schema: Schema) => object) {
  const { description, example, examples } = documented;
  const media = { schema: named(schema), ...(example !== undefined && { example }), ...(examples && { examples }) };
  return { description, content: { [String(schema['contentMediaType'] ?? mediaType)]: media } };
}

function schemaOf(content: WrittenContent): DocumentedSchema | undefined {
  return Object.values(content)[0]?.schema;
}

const DOCUMENTATION = {
  info: {
    title: 'lurecheck',
    version: VERSION,
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    contact: { name: 'The lurecheck authors' },
    description:
      'Scores URLs for phishing risk. Checks are limited per client and minute. No key is required; a key from the operator ' +
      'has its own limit (`Authorization: Bearer lck_…`). Every response has `X-Request-Id`. Every refusal is ' +
      '`application/problem+json` (RFC 9457) with a `code`. Times are ISO 8601 in UTC, durations seconds, weights log-odds ' +
      '(nats). Clients must ignore unknown members.\n\nRequests that are not HTTP/1.1 get a bare status, and the ' +
      'connection is closed: 400 (malformed), 413 (a body of more than 64 MiB), 431 (a head that is too large), 505 (another ' +
      'version); an unknown method gets no answer. Requests must not be pipelined: if a request arrives before the previous ' +
      'one is answered, the connection is closed, and a check that was sent together with it is not begun.\n\nJSON of more ' +
      'than 1 KiB is compressed (`zstd`, `br`, `gzip`) as `Accept-Encoding` requests.',
  },
  servers: [{ url: '/', description: 'The service that serves this document' }],
  // Explicit, because generators warn about a document without it.
  security: [],
  tags: [
    { name: 'Checks', description: 'Check URLs, read the logged checks' },
    { name: 'Feeds', description: 'Blocked links, for appliances and programs that pull a list' },
    { name: 'Console', description: 'Sessions, and what the operator administers in the browser or by programs' },
    { name: 'Health', description: 'For monitoring' },
    { name: 'Pages', description: 'Pages for a browser' },
  ],
  components: { headers: ANSWER_HEADERS },
};

/** The part of an OpenAPI document that its readers here rely on. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The plugin's document. */
interface WrittenDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  readonly components: object;
}

/** Writes the OpenAPI 3.1 document of the API under `basePath`, with late routes. Needs no running server. */
export async function openApiDocument(basePath: string, late: readonly LateRoutes[]): Promise<OpenApiDocument> {
  const all = [routes, rareRoutes, ...(await Promise.all(late.map(({ load }) => load())))];
  const app = new Elysia()
    .use(swagger({ documentation: DOCUMENTATION, path: '/plugin', excludeStaticFile: false }))
    .use(all.reduce((below, one) => below.use(one), new Elysia({ prefix: basePath })));
  const response = await app.handle(new Request('http://localhost/plugin/json'));
  const written: WrittenDocument = JSON.parse(await response.text());
  const schemas: Record<string, object> = {};
  const paths = mapValues(written.paths, (operations) =>
    mapValues(operations, (operation) => finishOperation(operation, (schema) => nameSchemas(schema, schemas))),
  );
  // No operation names it as its answer: without `view`, which few send, none has it.
  nameSchemas(ShortResultSchema, schemas);
  // The plugin says 3.0.3, which has no `null` type, no `examples` and no `patternProperties`; TypeBox writes them.
  return { ...written, openapi: '3.1.0', paths, components: { ...written.components, schemas } };
}

function mapValues<V, W>(members: Readonly<Record<string, V>>, map: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, map(value)]));
}

/** A schema, as JSON. */
interface Json {
  readonly [keyword: string]: unknown;
}

/**
 * A schema with its named parts, marked by `$id`, moved into `schemas` and referred to. An `$id` in the document itself
 * would change what the references inside a schema are relative to.
 *
 * @throws Error where two schemas have one name
 */
export function nameSchemas<T>(value: T, schemas: Record<string, object>): T | object {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => nameSchemas(item, schemas));
  const { $id, ...members } = withTypeList(Object.fromEntries(Object.entries(value)));
  const schema = Object.fromEntries(
    Object.entries(members).map(([key, member]) => [key, nameSchemas(member, schemas)]),
  );
  if (typeof $id !== 'string') return schema;
  // Some generators use titles only.
  const named = { title: $id, ...schema };
  const known = schemas[$id];
  if (known && !isDeepStrictEqual(known, named)) throw new Error(`two schemas have the name ${$id}`);
  schemas[$id] = named;
  return { $ref: `#/components/schemas/${$id}` };
}

/**
 * A schema of this or null, or of a text or a number, says so by its `type`, which generators read as what it is; of a union
 * they make a type of its own.
 */
function withTypeList({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return rest;
  const shapes: readonly Json[] = anyOf;
  if (shapes.every((shape) => Object.keys(shape).every((keyword) => keyword === 'type'))) {
    return { ...rest, type: shapes.map(({ type }) => type) };
  }
  const [one, none] = shapes;
  // An enum would have to list null, and be another one than its name says.
  if (anyOf.length !== 2 || !one || one['enum'] || none?.['type'] !== 'null') return { ...rest, oneOf: anyOf };
  return { ...one, ...rest, type: [one['type'], 'null'] };
}
