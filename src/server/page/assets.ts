import type { Operation } from '../http/exchange.ts';
import { reply } from '../http/reply.ts';
import type { Asset } from './asset.ts';

const A_YEAR = 'public, max-age=31536000, immutable';

/**
 * Serves a file. A browser keeps one whose name changes with its content; of others it asks each time whether they are
 * still the same.
 *
 * @param policy the Content-Security-Policy where the file needs one of its own
 */
export function serveAsset(asset: Asset, policy?: string): Operation {
  // Made by the first request: a start must not wait for it.
  let made: ReturnType<typeof headersOf> | null = null;
  return ({ request, requestId }) => {
    made ??= headersOf(asset, policy);
    const headers = made;
    const { contentType, body } = asset;
    if (isKnown(request.headers.get('if-none-match'), headers.etag)) return reply(requestId, 304, null, null, headers);
    if (acceptsGzip(request.headers.get('accept-encoding'))) {
      return reply(requestId, 200, contentType, body, { ...headers, 'content-encoding': 'gzip' });
    }
    return reply(requestId, 200, contentType, Bun.gunzipSync(body), headers);
  };
}

function headersOf({ body, isImmutable }: Asset, policy?: string) {
  const digest = new Bun.CryptoHasher('sha256').update(body).digest('hex').slice(0, 32);
  return {
    'cache-control': isImmutable ? A_YEAR : 'no-cache',
    // Weak: compressed or not, it is the same file (RFC 9110 §8.8.3).
    etag: `W/"${digest}"`,
    vary: 'accept-encoding',
    ...(policy !== undefined && { 'content-security-policy': policy }),
  };
}

/** A file of text, compressed once. */
export function textAsset(contentType: string, text: string | Uint8Array<ArrayBuffer>): Asset {
  return { contentType, body: Bun.gzipSync(text), isImmutable: false };
}

function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => tag.trim() === etag) ?? false;
}

function acceptsGzip(acceptEncoding: string | null): boolean {
  return /(?:^|,)[ \t]*gzip[ \t]*(?:,|$|;[ \t]*q=(?:1|0\.\d*[1-9]))/i.test(acceptEncoding ?? '');
}
