import type { Asset } from './asset.ts';
import type { Operation } from './exchange.ts';
import { reply } from './reply.ts';

/** Serves a file. A browser may keep it, and asks each time whether it is still the same. */
export function serveAsset(asset: Asset, headers?: Readonly<Record<string, string>>): Operation {
  const own = { 'cache-control': 'no-cache', etag: asset.etag, vary: 'accept-encoding', ...headers };
  return ({ request, requestId }) => {
    if (hasTag(request.headers.get('if-none-match'), asset.etag)) return reply(requestId, 304, null, null, own);
    if (asset.gzip && acceptsGzip(request.headers.get('accept-encoding'))) {
      return reply(requestId, 200, asset.contentType, asset.gzip, { ...own, 'content-encoding': 'gzip' });
    }
    return reply(requestId, 200, asset.contentType, asset.body, own);
  };
}

/** A proxy that compresses makes the tag a weak one (`W/`); what a client then asks for is still this file. */
function hasTag(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}

function acceptsGzip(acceptEncoding: string | null): boolean {
  return /(?:^|,)[ \t]*gzip[ \t]*(?:,|$|;[ \t]*q=(?:1|0\.\d*[1-9]))/i.test(acceptEncoding ?? '');
}
