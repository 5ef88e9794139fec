import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import { VERSION } from '#src/base/version.ts';
import { apiRoutes, type Operations } from '../routes.ts';
import { pageDocs } from './doc-pages.ts';
import { SCHEMAS } from './schemas.ts';

const DOCUMENTATION = {
  // The plugin says 3.0.3, which has no `null` type, no `examples` and no `patternProperties`; TypeBox writes them.
  openapi: '3.1.0',
  info: {
    title: 'lurecheck',
    version: VERSION,
    description:
      'Scores URLs for phishing risk. No authentication; a limit on checks per client and minute. Every response ' +
      'carries `X-Request-Id`; every refusal is `application/problem+json` (RFC 9457). Times are ISO 8601 in UTC, ' +
      'durations seconds, weights log-odds (nats). Clients ignore members that they do not know.',
  },
  servers: [{ url: '/', description: 'Where this document comes from' }],
  tags: [
    { name: 'Checks', description: 'Check a URL, read what was checked' },
    { name: 'Health', description: 'For those who watch the service' },
    { name: 'Pages', description: 'For people, in a browser' },
  ],
  components: {
    headers: {
      'X-Request-Id': header('Identifier of the request (UUIDv7)', '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b'),
      'RateLimit-Policy': header(
        'The limit: `q` checks in `w` seconds; absent where there is none',
        '"default";q=20;w=60',
      ),
      RateLimit: header('`r` checks are left; in `t` seconds the next place comes free', '"default";r=12;t=31'),
      ETag: header('Tag of the file, for `If-None-Match`', 'W/"9a0364b9e99bb480dd25e1f0284c8555"'),
      'Retry-After': header('Seconds after which to try again', '31'),
    },
  },
};

function header(description: string, example: string) {
  return { description, schema: { type: 'string' as const }, example };
}

/** The part of an OpenAPI document that its readers here rely on. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const notServed: Operations = {
  checkUrl: fail,
  history: fail,
  stats: fail,
  livez: fail,
  readyz: fail,
};

function fail(): never {
  throw new Error('the routes of a document are not served');
}

/** Writes the OpenAPI 3.1 document of the API under `basePath`. Needs no running server. */
export async function openApiDocument(basePath: string): Promise<OpenApiDocument> {
  const app = new Elysia()
    .use(swagger({ documentation: { ...DOCUMENTATION, paths: pageDocs(basePath) }, path: '/swagger' }))
    .use(apiRoutes(basePath, fail, notServed));
  const response = await app.handle(new Request('http://localhost/swagger/json'));
  const document: OpenApiDocument = JSON.parse(await response.text());
  return { ...document, components: { ...document.components, schemas: namedSchemas() } };
}

/** An `$id` would change what the references inside a schema are relative to; its name in the document says it already. */
function namedSchemas(): Readonly<Record<string, object>> {
  return JSON.parse(JSON.stringify(SCHEMAS, (key, value) => (key === '$id' ? undefined : value)));
}
