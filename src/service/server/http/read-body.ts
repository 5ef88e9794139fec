import { type Problem, ProblemError } from './problem.ts';

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
