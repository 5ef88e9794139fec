import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import stylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { withoutSlash } from '../http/request-path.ts';
import type { RequestGuard } from '../http/request-site.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import { type Asset, textAsset, whenAsked } from '../page/assets.ts';
import { fileRoute } from '../page/file-route.ts';

const compress = promisify(gzip);

/** The plugin's own pages load from a CDN; this one loads from here, by relative addresses that a base path moves along. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>lurecheck API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="swagger/swagger-ui.css">
<div id="swagger-ui"></div>
<script src="swagger/swagger-ui-bundle.js"></script>
<script src="swagger/start.js"></script>
</html>
`;

const DocumentSchema = Type.Object(
  {},
  { $id: 'OpenApiDocument', additionalProperties: true, description: 'An OpenAPI 3.1 document' },
);

const START = `SwaggerUIBundle({
  url: 'swagger/json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** Swagger UI writes style attributes and shows icons as data URLs. */
const PAGE_POLICY = SECURITY_HEADERS['content-security-policy'].replace(
  "default-src 'self'",
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
);

/** What the routes of the documentation work with. */
export interface SwaggerRouteParts {
  /** The OpenAPI document. */
  readonly document: () => Promise<object>;
  readonly ownHost: RequestGuard;
}

/** `/swagger`, its files, and the OpenAPI document; each is made when it is first asked for. */
export function swaggerRoutes({ document, ownHost }: SwaggerRouteParts) {
  const page = whenAsked(async () => textAsset('text/html; charset=utf-8', PAGE), PAGE_POLICY);
  const start = whenAsked(async () => textAsset('text/javascript; charset=utf-8', START));
  const bundle = whenAsked(() => fileAsset('text/javascript; charset=utf-8', bundlePath));
  const style = whenAsked(() => fileAsset('text/css; charset=utf-8', stylePath));
  const json = whenAsked(async () => textAsset('application/json', JSON.stringify(await document())));
  const hidden = { detail: { hide: true } };
  return new Elysia({ normalize: false })
    .onTransform(ownHost)
    .get(
      '/swagger',
      async ({ headers, request, redirect }) => {
        const better = withoutSlash(request);
        return better === null ? await page(headers) : redirect(better, 308);
      },
      fileRoute('readDocumentation', 'This documentation', Type.String({ contentMediaType: 'text/html' })),
    )
    .get(
      '/swagger/json',
      ({ headers }) => json(headers),
      fileRoute('readOpenApi', 'This description as OpenAPI 3.1', DocumentSchema),
    )
    .get(
      '/openapi.json',
      ({ headers }) => json(headers),
      fileRoute('readOpenApiFile', 'This description as OpenAPI 3.1, where programs look for it', DocumentSchema),
    )
    .get('/swagger/start.js', ({ headers }) => start(headers), hidden)
    .get('/swagger/swagger-ui-bundle.js', ({ headers }) => bundle(headers), hidden)
    .get('/swagger/swagger-ui.css', ({ headers }) => style(headers), hidden);
}

/** Compressed by another thread: for a file of this size it takes as long as a hundred checks. */
async function fileAsset(contentType: string, path: string): Promise<Asset> {
  const compressed = await compress(await Bun.file(path).bytes());
  return { contentType, body: Uint8Array.from(compressed), isImmutable: false };
}
