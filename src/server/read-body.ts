import type { Problem } from './problem.ts';

/** The most bytes that a request body may have (`decisions.md`, request). */
export const MAX_BODY_BYTES = 32 * 1024;

const TOO_LARGE: Problem = { status: 413, detail: `The body must be at most ${MAX_BODY_BYTES} bytes long.` };

/** Reads a request body, and stops reading as soon as it is larger than allowed. */
export function readBody(request: Request): Promise<Uint8Array | Problem> {
  const declared = request.headers.get('content-length');
  if (declared === null) return readChunks(request);
  return Number(declared) > MAX_BODY_BYTES ? Promise.resolve(TOO_LARGE) : request.bytes();
}

async function readChunks({ body }: Request): Promise<Uint8Array | Problem> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return TOO_LARGE;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
