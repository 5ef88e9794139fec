import { FailureError } from '#src/core/base/failure.ts';
import { abortFailure, untilAborted } from '../budget/deadline.ts';
import { socketFailure } from '../connect/socket-failure.ts';
import type { HopConnection } from './hop.ts';
import type { RawResponse, ResponseReader } from './response-reader.ts';

/**
 * Read size of Bun 1.4.4, reserved so that a read cannot exceed the wire budget; for a small budget, an eighth of it.
 */
const READ_BYTES = 512 * 1024;
/** Maximum number of reads per response, which bounds the cost of a server that sends tiny chunks. */
const MAX_PIECES = 65_536;

/**
 * Writes a request and reads its response up to `maxWireBytes`. After the head, any early end returns what was received
 * as `truncated`, because a part of a page is better than none.
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
          if (isDone) end(new FailureError('response_malformed', 'no complete header within the maximum size'));
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
