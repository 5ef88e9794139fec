import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import stylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { lazily } from '#src/base/lazily.ts';
import type { Operation } from '../http/exchange.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import type { Asset } from '../page/asset.ts';
import { serveAsset, textAsset } from '../page/assets.ts';

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

/** `/swagger`, its files, and the OpenAPI document; each is made when it is first asked for. */
export function swaggerRoutes(basePath: string): [path: string, Operation][] {
  return [
    ['swagger', whenAsked(async () => textAsset('text/html; charset=utf-8', PAGE), PAGE_POLICY)],
    ['swagger/start.js', whenAsked(async () => textAsset('text/javascript; charset=utf-8', START))],
    ['swagger/swagger-ui-bundle.js', whenAsked(() => fileAsset('text/javascript; charset=utf-8', bundlePath))],
    ['swagger/swagger-ui.css', whenAsked(() => fileAsset('text/css; charset=utf-8', stylePath))],
    ['swagger/json', whenAsked(() => documentAsset(basePath))],
  ];
}

function whenAsked(load: () => Promise<Asset>, policy?: string): Operation {
  const serving = lazily(async () => serveAsset(await load(), policy));
  return async (exchange) => (await serving())(exchange);
}

/** Compressed by another thread: for a file of this size it takes as long as a hundred checks. */
async function fileAsset(contentType: string, path: string): Promise<Asset> {
  const compressed = await compress(await Bun.file(path).bytes());
  return { contentType, body: Uint8Array.from(compressed), isImmutable: false };
}

async function documentAsset(basePath: string): Promise<Asset> {
  // Only who reads the document pays for the plugin that writes it.
  const { openApiDocument } = await import('./openapi.ts');
  return textAsset('application/json', JSON.stringify(await openApiDocument(basePath)));
}
