import { SECURITY_HEADERS } from './security-headers.ts';

/** What a response may carry. */
export type ReplyBody = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null;

/** A response with the headers that all of ours carry; `headers` (lower-case names) may replace them. */
export function reply(
  requestId: string,
  status: number,
  contentType: string | null,
  body: ReplyBody,
  headers?: Readonly<Record<string, string>>,
): Response {
  return new Response(body, {
    status,
    headers: {
      ...SECURITY_HEADERS,
      ...(contentType !== null && { 'content-type': contentType }),
      'x-request-id': requestId,
      ...headers,
    },
  });
}

/** {@link reply} with a JSON body. */
export function replyJson(
  requestId: string,
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Response {
  return reply(requestId, status, 'application/json', JSON.stringify(body), headers);
}
