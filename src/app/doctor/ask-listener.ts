import { connect } from 'node:net';
import { type ByteQueue, createByteQueue } from '#src/core/base/byte-queue.ts';
import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';

/** A question to a listener of this service. */
export interface ListenerQuestion<Answer> {
  readonly bytes: Uint8Array;
  /** Reads the answer; null if it has not arrived. */
  read(queue: ByteQueue): Answer | null;
  /** Time for the answer, in milliseconds. */
  readonly patienceMs: number;
}

/** Asks a listener; null if it closes the connection, cannot be reached, or does not answer in time. */
export async function askListener<Answer>(
  address: ListenAddress,
  { bytes, read, patienceMs }: ListenerQuestion<Answer>,
): Promise<Answer | null> {
  const socket = address.kind === 'tcp' ? connect(address.port, address.host ?? '127.0.0.1') : connect(address.path);
  const { promise, resolve } = Promise.withResolvers<Answer | null>();
  const queue = createByteQueue();
  socket.setTimeout(patienceMs, () => resolve(null));
  socket.on('error', () => resolve(null));
  socket.on('close', () => resolve(null));
  socket.on('data', (chunk: Buffer) => {
    queue.push(chunk);
    const answer = read(queue);
    if (answer !== null) resolve(answer);
  });
  socket.write(bytes);
  return await promise.finally(() => socket.destroy());
}
