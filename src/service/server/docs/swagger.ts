import { promisify } from 'node:util';
import { Type } from '@sinclair/typebox';
import stylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { zlib } from '#src/core/base/lazily.ts';
import { SECURITY_HEADERS } from '../http/http-app.ts';
import { ownHost, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import { withoutSlash } from '../http/unrouted.ts';
import { type Asset, fileRoute, textAsset, whenAsked } from '../page/assets.ts';

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

export interface SwaggerRouteParts extends Pick<SiteParts, 'isOwnHost'> {
  /** Sends the OpenAPI document. */
  readonly sendOpenApi: ReturnType<typeof whenAsked>;
}

// Each is made when it is first asked for.
const sendPage = whenAsked(async () => textAsset('text/html; charset=utf-8', PAGE), PAGE_POLICY);
const sendStart = whenAsked(async () => textAsset('text/javascript; charset=utf-8', START));
const sendBundle = whenAsked(() => fileAsset('text/javascript; charset=utf-8', bundlePath));
const sendStyle = whenAsked(() => fileAsset('text/css; charset=utf-8', stylePath));

const HIDDEN = { detail: { hide: true } };

/** `/swagger`, its files, and the OpenAPI document. */
export const swaggerRoutes = routesWith<SwaggerRouteParts>()
  .onTransform(ownHost)
  .get(
    '/swagger',
    async ({ headers, request, redirect }) => {
      const better = withoutSlash(request);
      return better === null ? await sendPage(headers) : redirect(better, 308);
    },
    fileRoute('readDocumentation', 'This documentation', Type.String({ contentMediaType: 'text/html' })),
  )
  .get(
    '/swagger/json',
    ({ headers, service }) => service.sendOpenApi(headers),
    fileRoute('readOpenApi', 'This description as OpenAPI 3.1', DocumentSchema),
  )
  .get(
    '/openapi.json',
    ({ headers, service }) => service.sendOpenApi(headers),
    fileRoute('readOpenApiFile', 'This description as OpenAPI 3.1, at its conventional path', DocumentSchema),
  )
  .get('/swagger/start.js', ({ headers }) => sendStart(headers), HIDDEN)
  .get('/swagger/swagger-ui-bundle.js', ({ headers }) => sendBundle(headers), HIDDEN)
  .get('/swagger/swagger-ui.css', ({ headers }) => sendStyle(headers), HIDDEN);

/** Compressed by another thread: for a file of this size it takes as long as a hundred checks. */
async function fileAsset(contentType: string, path: string): Promise<Asset> {
  const compressed = await promisify(zlib().gzip)(await Bun.file(path).bytes());
  return { contentType, body: Uint8Array.from(compressed), isImmutable: false };
}
