import { readStrictJson, unknownMember } from './field-errors.ts';
import { badFields, type Problem, ProblemError, refuse } from './problem.ts';

const tooLarge = (maxBytes: number) =>
  new ProblemError({ code: 'body_too_large', detail: `The body must be at most ${maxBytes} bytes long.` });

/** Problem of a broken connection, which no client reads; it prevents a report as an internal error. */
const BROKEN_OFF: Problem = { code: 'invalid_body', detail: 'The connection ended before the body did.' };

/**
 * Reads a body, and stops reading as soon as it is larger than allowed.
 *
 * @throws ProblemError 413 or 400
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
  try {
    return declared === null ? await readChunks(request, maxBytes) : await request.bytes();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw new ProblemError(BROKEN_OFF);
    throw error;
  }
}

async function readChunks({ body }: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** The most bytes that the body of a request to check a URL may have (`INTERFACE.md`, request). */
const MAX_BODY_BYTES = 32 * 1024;

/** The same for many URLs: a hundred of the longest there may be, in ASCII. */
const MAX_MANY_BODY_BYTES = 896 * 1024;

/** The same for a list: parsing it keeps the thread for some 40 ms, and `lurecheck lists import` takes larger ones. */
const MAX_LIST_BODY_BYTES = 4 * 1024 * 1024;

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/** JSON is UTF-8 (RFC 8259 §8.1), of which ASCII is a part; a text that says it is another would be misread. */
const OTHER_CHARSET = /;[ \t]*charset=(?!"?(?:utf-?8|us-ascii)"?[ \t]*(?:;|$))/i;

/**
 * The parser of routes that take JSON, instead of Elysia's own, which takes forms too, uses the last of two members
 * with one name, and reads without a bound.
 *
 * @throws ProblemError 415, 413 or 400
 */
export async function parseJsonObject({ request }: { readonly request: Request }): Promise<object> {
  return await readJsonObject(request, MAX_BODY_BYTES, '{"url": "https://example.com/"}');
}

/** The same for routes that take many URLs. */
export async function parseManyInJson({ request }: { readonly request: Request }): Promise<object> {
  return await readJsonObject(request, MAX_MANY_BODY_BYTES, '{"urls": ["https://example.com/"]}');
}

/** The same for routes that take a list. */
export async function parseListInJson({ request }: { readonly request: Request }): Promise<object> {
  return await readJsonObject(request, MAX_LIST_BODY_BYTES, '{"name": "feed", "content": "evil.example"}');
}

/** The same for the route that takes a mail, of at most so many bytes. */
export async function readMessageJson(request: Request, maxBytes: number): Promise<object> {
  const ways = 'Send the mail with the header Content-Type: message/rfc822, or JSON with application/json.';
  return await readJsonObject(request, maxBytes, '{"source": "From: a@example.com…"}', ways);
}

/** The parser of routes whose request has no body: what is sent nevertheless is not read. */
export function noBody(): object {
  return {};
}

async function readJsonObject(request: Request, maxBytes: number, example: string, ways = AS_JSON): Promise<object> {
  refuse(typeRefusal(request.headers, ways) ?? encodingRefusal(request.headers));
  const json = readStrictJson(await readBody(request, maxBytes));
  if ('refusal' in json) throw new ProblemError({ code: 'invalid_json', detail: json.refusal });
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProblemError({
      code: 'invalid_body',
      detail: `The body must be a JSON object such as ${example}.`,
    });
  }
  // Elysia assigns a body to an object of defaults, where such a member would become the prototype and not be seen.
  if (Object.hasOwn(value, '__proto__')) throw new ProblemError(badFields([unknownMember('__proto__')]));
  return value;
}

const AS_JSON = 'Send the body as JSON, with the header Content-Type: application/json.';

/** Returns why a type of body is not read; null if it is. */
function typeRefusal(headers: Headers, ways: string): Problem | null {
  const type = headers.get('content-type') ?? '';
  if (!JSON_TYPE.test(type)) {
    return { code: 'unsupported_media_type', detail: ways };
  }
  if (OTHER_CHARSET.test(type)) {
    return { code: 'unsupported_media_type', detail: 'Send the body in UTF-8, the one charset that JSON has.' };
  }
  return null;
}

/** Returns why an encoded body is not read; null if it is not encoded. */
export function encodingRefusal(headers: Headers): Problem | null {
  const encoding = headers.get('content-encoding');
  if (encoding === null || encoding.toLowerCase() === 'identity') return null;
  return { code: 'unsupported_media_type', detail: 'Send the body as it is, without a Content-Encoding.' };
}
