import type { Problem } from '../http/problem.ts';

/** The most bytes that a request body may have (`src/server/INTERFACE.md`). */
export const MAX_BODY_BYTES = 32 * 1024;

const TOO_LARGE: Problem = { status: 413, detail: `The body must be at most ${MAX_BODY_BYTES} bytes long.` };

/** Nobody is left to read this; it keeps a broken connection from looking like a fault of ours. */
const BROKEN_OFF: Problem = { status: 400, detail: 'The connection ended before the body did.' };

/** Reads a request body, and stops reading as soon as it is larger than allowed. */
export async function readBody(request: Request): Promise<Uint8Array | Problem> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > MAX_BODY_BYTES) return TOO_LARGE;
  try {
    return declared === null ? await readChunks(request) : await request.bytes();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return BROKEN_OFF;
    throw error;
  }
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
