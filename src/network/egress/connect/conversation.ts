import type { Socket } from 'node:net';
import { createByteSink } from '../budget/byte-sink.ts';
import { abortFailure, untilAborted } from '../budget/deadline.ts';
import { socketFailure } from './socket-failure.ts';

/**
 * Writes a request and reads until the peer closes. Bytes received before a timeout, a reset or the limit are returned
 * as `truncated`. Fails with the timeout or reset if no byte was received.
 */
export async function converse(
  socket: Socket,
  request: Uint8Array,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean }> {
  const sink = createByteSink(maxBytes);
  try {
    return await untilAborted(signal, (resolve, reject) => {
      socket.on('data', (chunk: Uint8Array) => {
        if (!sink.push(chunk)) resolve({ bytes: sink.bytes(), truncated: true });
      });
      socket.on('end', () => resolve({ bytes: sink.bytes(), truncated: false }));
      socket.on('error', (error) => reject(socketFailure(error, 'connection_reset')));
      socket.on('close', () => reject(socketFailure(new Error('closed'), 'connection_reset')));
      socket.write(request);
      return () => {};
    });
  } catch (error) {
    if (signal.aborted && abortFailure(signal).code !== 'timeout') throw error;
    if (sink.length === 0) throw error;
    return { bytes: sink.bytes(), truncated: true };
  } finally {
    socket.destroy();
  }
}
