import { type TSchema, Type } from '@sinclair/typebox';
import { lazily } from '#src/core/base/lazily.ts';
import { answer } from '../http/answer.ts';
import { CODINGS, type Coding, compress, preferredCoding } from '../http/negotiation.ts';
import { refusals } from '../http/refusals.ts';

/** Codings in which a file is stored. */
const STORED = ['gzip'] as const;

/** Codings of JSON, gzip first, since some programs support no other. */
const ANY = ['gzip', ...CODINGS.filter((coding) => coding !== 'gzip')] as const;

const A_YEAR = 'public, max-age=31536000, immutable';

/** A file as it is served: the same bytes for everybody. */
export interface Asset {
  readonly contentType: string;
  /** Compressed with gzip, as the executable carries it. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** True if its name changes with its content, so that browsers may cache it forever. */
  readonly isImmutable: boolean;
}

/** The headers of a request that decide how a file is sent. */
export interface FileRequest {
  readonly 'if-none-match'?: string | undefined;
  readonly 'accept-encoding'?: string | undefined;
}

/**
 * Serves a file. Browsers cache immutable files and revalidate others.
 *
 * @param policy the file's own Content-Security-Policy, if it needs one
 */
export function serveAsset(asset: Asset, policy?: string): (request: FileRequest) => Response {
  // Made by the first request: a start must not wait for it.
  let made: ReturnType<typeof headersOf> | null = null;
  const others = new Map<Coding, Uint8Array<ArrayBuffer>>();
  function inCoding(coding: Coding): Uint8Array<ArrayBuffer> {
    const known = coding === 'gzip' ? asset.body : others.get(coding);
    if (known) return known;
    const compressed = compress(Bun.gunzipSync(asset.body), coding);
    others.set(coding, compressed);
    return compressed;
  }
  return ({ 'if-none-match': known, 'accept-encoding': accepted }) => {
    made ??= headersOf(asset, policy);
    const { body } = asset;
    if (isKnown(known, made.etag)) return new Response(null, { status: 304, headers: made });
    const own = { ...made, 'content-type': asset.contentType };
    const coding = preferredCoding(accepted ?? null, asset.contentType === 'application/json' ? ANY : STORED);
    return coding === null
      ? new Response(Bun.gunzipSync(body), { headers: own })
      : new Response(inCoding(coding), { headers: { ...own, 'content-encoding': coding } });
  };
}

/** Serves a file whose body may be another one later; see {@link serveAsset}. */
export function serveChanging(asset: Asset, policy?: string): (request: FileRequest) => Response {
  let serving: { readonly body: Asset['body']; readonly serve: (request: FileRequest) => Response } | null = null;
  return (request) => {
    const { body } = asset;
    if (serving?.body !== body) serving = { body, serve: serveAsset({ ...asset, body }, policy) };
    return serving.serve(request);
  };
}

/** Serves a file that is made when it is first asked for; see {@link serveAsset}. */
export function whenAsked(load: () => Promise<Asset>, policy?: string): (request: FileRequest) => Promise<Response> {
  const serving = lazily(async () => serveAsset(await load(), policy));
  return async (request) => (await serving())(request);
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

function isKnown(ifNoneMatch = '', etag: string): boolean {
  return ifNoneMatch.split(',').some((tag) => tag.trim() === etag);
}

/** A short text that depends on the request or the settings: browsers request it every time. */
export function textAnswer(contentType: string, text: string): Response {
  return new Response(text, { headers: { 'content-type': contentType, 'cache-control': 'no-cache' } });
}

/** Declares a route that answers with a file. */
export function fileRoute(operationId: string, summary: string, file: TSchema) {
  return {
    headers: Type.Object({
      'if-none-match': Type.Optional(Type.String({ description: '`ETag` of the cached file' })),
      'accept-encoding': Type.Optional(Type.String({ description: '`gzip` for a compressed file' })),
    }),
    response: {
      200: answer(file, { description: 'The file.', headers: ['ETag'] }),
      304: answer(Type.Undefined(), {
        description: 'The file is the one that `If-None-Match` names.',
        headers: ['ETag'],
      }),
      ...refusals('misdirected', 'internal'),
    },
    detail: {
      operationId,
      tags: ['Pages'],
      summary,
      description: `${summary}. Compressed for clients that accept gzip; 304 if the client has it already.`,
    },
  };
}
