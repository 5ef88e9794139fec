import { FailureError } from '#src/core/base/failure.ts';
import { abortFailure, untilAborted } from '../budget/deadline.ts';
import { socketFailure } from '../connect/socket-failure.ts';
import type { HopConnection } from './hop.ts';
import type { RawResponse, ResponseReader } from './response-reader.ts';

/** What Bun 1.4.4 reads from a socket at once, which must not overrun the budget for the wire; of a small one an eighth. */
const READ_BYTES = 512 * 1024;
/** Pieces of a response. A server that sends more of them sends next to nothing in each, and every one costs time. */
const MAX_PIECES = 65_536;

/**
 * Writes a request and reads its response up to `wireBytes`. Once the head has come, whatever ends the rest early leaves
 * what came, `truncated`: a part of a page is worth more than none.
 */
export async function readResponse(
  request: string,
  { socket, wireBytes }: HopConnection,
  reader: ResponseReader,
  maxWireBytes: number,
  signal: AbortSignal,
): Promise<RawResponse> {
  const lastReadAt = maxWireBytes - Math.min(READ_BYTES, maxWireBytes / 8);
  let pieces = 0;
  try {
    return await untilAborted<RawResponse>(signal, (resolve, reject) => {
      const end = (failure: FailureError | null) => {
        const response = reader.finish(failure === null);
        if (response) resolve(response);
        else reject(failure ?? new FailureError('connection_reset', 'closed before the header was complete'));
      };
      socket.on('data', (piece: Uint8Array) => {
        pieces++;
        try {
          const isDone = reader.push(piece) || wireBytes() > lastReadAt || pieces > MAX_PIECES;
          if (isDone) end(new FailureError('response_malformed', 'more than is read of a response without a header'));
        } catch (error) {
          reject(error instanceof Error ? error : new TypeError(String(error)));
        }
      });
      socket.on('end', () => end(null));
      socket.on('close', () => end(new FailureError('connection_reset', 'closed before the header was complete')));
      socket.on('error', (error) => end(socketFailure(error, 'response_malformed')));
      socket.write(request, 'latin1');
      return () => socket.pause();
    });
  } catch (error) {
    const isLate = signal.aborted && abortFailure(signal).code === 'timeout';
    const response = isLate ? reader.finish(false) : null;
    if (!response) throw error;
    return response;
  }
}
