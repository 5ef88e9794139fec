import { unknownMember } from './field-errors.ts';
import { badFields, type Problem, ProblemError, refuse } from './problem.ts';
import { readStrictJson } from './strict-json.ts';

/** The most bytes that a request body may have (`INTERFACE.md`, request). */
const MAX_BODY_BYTES = 32 * 1024;

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/** JSON is UTF-8 (RFC 8259 §8.1), of which ASCII is a part; a text that says it is another would be misread. */
const OTHER_CHARSET = /;[ \t]*charset=(?!"?(?:utf-?8|us-ascii)"?[ \t]*(?:;|$))/i;

const TOO_LARGE: Problem = { code: 'body_too_large', detail: `The body must be at most ${MAX_BODY_BYTES} bytes long.` };

/** Nobody is left to read this; it keeps a broken connection from looking like a fault of ours. */
const BROKEN_OFF: Problem = { code: 'invalid_body', detail: 'The connection ended before the body did.' };

/**
 * The parser of routes that take JSON, in place of Elysia's own, which takes forms too, keeps the last of two members
 * of one name, and reads without an end.
 *
 * @throws ProblemError 415, 413 or 400
 */
export async function parseJsonObject({ request }: { readonly request: Request }): Promise<object> {
  refuse(typeRefusal(request.headers));
  const json = readStrictJson(await readBody(request));
  if ('refusal' in json) throw new ProblemError({ code: 'invalid_json', detail: json.refusal });
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProblemError({
      code: 'invalid_body',
      detail: 'The body must be a JSON object such as {"url": "https://example.com/"}.',
    });
  }
  // Elysia assigns a body to an object of defaults, where such a member would become the prototype and not be seen.
  if (Object.hasOwn(value, '__proto__')) throw new ProblemError(badFields([unknownMember('__proto__')]));
  return value;
}

/** Why a body is not read. */
function typeRefusal(headers: Headers): Problem | null {
  const type = headers.get('content-type') ?? '';
  if (!JSON_TYPE.test(type)) {
    return {
      code: 'unsupported_media_type',
      detail: 'Send the body as JSON, with the header Content-Type: application/json.',
    };
  }
  if (OTHER_CHARSET.test(type)) {
    return { code: 'unsupported_media_type', detail: 'Send the body in UTF-8, the one charset that JSON has.' };
  }
  const encoding = headers.get('content-encoding');
  if (encoding === null || encoding.toLowerCase() === 'identity') return null;
  return { code: 'unsupported_media_type', detail: 'Send the body as it is, without a Content-Encoding.' };
}

/** Reads a body, and stops reading as soon as it is larger than allowed. */
async function readBody(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > MAX_BODY_BYTES) throw new ProblemError(TOO_LARGE);
  try {
    return declared === null ? await readChunks(request) : await request.bytes();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw new ProblemError(BROKEN_OFF);
    throw error;
  }
}

async function readChunks({ body }: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new ProblemError(TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
