import { createByteSink } from '../budget/byte-sink.ts';
import { abortFailure, untilAborted } from '../budget/deadline.ts';
import type { HopConnection, HopLimits } from './hop.ts';
import { httpFailure } from './http-failure.ts';
import type { HttpExchange } from './http-header.ts';

/** What Bun 1.4.4 reads from a socket at once, which must not overrun the budget for the wire; of a small one an eighth. */
const READ_BYTES = 512 * 1024;
/** Pieces of a body. A server that sends more of them sends next to nothing in each, and every one costs time. */
const MAX_PIECES = 65_536;

/** Reads a body, still in its content coding, up to what the limits allow. */
export async function readHttpBody(
  { outgoing, response, earlyFault }: HttpExchange,
  { wireBytes }: HopConnection,
  limits: HopLimits,
  isCoded: boolean,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const sink = createByteSink(isCoded ? limits.wireBytes : limits.bodyBytes);
  const cut = () => ({ bytes: sink.bytes(), truncated: true });
  const lastReadAt = limits.wireBytes - Math.min(READ_BYTES, limits.wireBytes / 8);
  let pieces = 0;
  try {
    return await untilAborted(signal, (resolve, reject) => {
      response.on('data', (chunk: Uint8Array) => {
        pieces++;
        if (!sink.push(chunk) || wireBytes() > lastReadAt || pieces > MAX_PIECES) resolve(cut());
      });
      response.on('end', () => resolve({ bytes: sink.bytes(), truncated: !response.complete }));
      response.on('close', () => resolve(cut()));
      response.on('aborted', () => resolve(cut()));
      const onError = (error: Error) => {
        const failure = httpFailure(error);
        if (failure.code === 'connection_reset') resolve(cut());
        else reject(failure);
      };
      response.on('error', onError);
      // The parser reports a fault in the body here, before the response knows that it has been closed.
      outgoing.on('error', onError);
      const fault = earlyFault();
      if (fault) onError(fault);
      response.resume();
      return () => response.destroy();
    });
  } catch (error) {
    // Too slow, but not in vain: a part of a page is worth more than none.
    if (signal.aborted && abortFailure(signal).code === 'timeout') return cut();
    throw error;
  }
}
