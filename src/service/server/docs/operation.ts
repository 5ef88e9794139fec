import type { BodyText } from '../http/documented.ts';

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
export interface WrittenOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly examples?: readonly unknown[] }[];
  readonly requestBody?: { readonly content: WrittenContent };
  readonly responses: Readonly<Record<string, WrittenAnswer>>;
}

/** The parts of an OpenAPI operation that its readers here use. */
export interface Operation {
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
export function finishOperation(operation: WrittenOperation, named: (schema: Schema) => object): Operation {
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
