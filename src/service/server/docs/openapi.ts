import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import { ShortResultSchema } from '#src/checks/record/short-result.ts';
import { VERSION } from '#src/core/base/version.ts';
import { ANSWER_HEADERS } from '../http/documented.ts';
import { routes } from '../routes.ts';
import { nameSchemas } from './named-schemas.ts';
import { finishOperation, type Operation, type WrittenOperation } from './operation.ts';

const DOCUMENTATION = {
  info: {
    title: 'lurecheck',
    version: VERSION,
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    contact: { name: 'The lurecheck authors' },
    description:
      'Scores URLs for phishing risk. A limit on checks per client and minute; nothing needs a key, and one that the operator ' +
      'gave out brings a limit of its own (`Authorization: Bearer lck_…`). Every response ' +
      'carries `X-Request-Id`; every refusal is `application/problem+json` (RFC 9457), whose `code` says of which kind it ' +
      'is. Times are ISO 8601 in UTC, durations seconds, weights log-odds (nats). Clients ignore members that they do not ' +
      'know.\n\nWhat is not HTTP/1.1 is refused without all that, by a bare status on a connection that is closed: 400 ' +
      '(malformed), 413 (a body of more than 1 MiB), 431 (too large a head), 505 (another version); an unknown method has no ' +
      'answer. A client waits for an answer before it sends the next request on the same connection: requests that are ' +
      'pipelined behind a check close it, and the check that came together with them is not begun.\n\nJSON of more than ' +
      '1 KiB is compressed (`zstd`, `br`, `gzip`) as `Accept-Encoding` asks.',
  },
  servers: [{ url: '/', description: 'Where this document comes from' }],
  // Said in so many words: generators warn of a document that is silent about it.
  security: [],
  tags: [
    { name: 'Checks', description: 'Check a URL, read what was checked' },
    { name: 'Health', description: 'For those who watch the service' },
    { name: 'Pages', description: 'For people, in a browser' },
  ],
  components: { headers: ANSWER_HEADERS },
};

/** The part of an OpenAPI document that its readers here rely on. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** What the plugin answers with. */
interface WrittenDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  readonly components: object;
}

/** Writes the OpenAPI 3.1 document of the API under `basePath`. Needs no running server. */
export async function openApiDocument(basePath: string): Promise<OpenApiDocument> {
  const app = new Elysia()
    .use(swagger({ documentation: DOCUMENTATION, path: '/plugin', excludeStaticFile: false }))
    .use(new Elysia({ prefix: basePath }).use(routes));
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
