import { connect } from 'node:net';
import { createByteQueue } from '#src/core/base/byte-queue.ts';
import { formatListenAddress, type ListenAddress } from '#src/core/base/settings/listen-address.ts';
import { readPacket, writePacket } from '#src/service/milter/milter-packet.ts';
import { broken, type Examination, well } from './finding.ts';

/** Time for an answer, in milliseconds. */
const PATIENCE_MS = 2000;

/** The milter: its first address negotiates as a mail server expects. */
export const examineMilter: Examination = async ({ milter_listen: [address] }) => {
  if (address === undefined) return [];
  const name = formatListenAddress(address);
  return (await negotiates(address).catch(() => false))
    ? [well('milter', `${name} answers a mail server.`)]
    : [broken('milter', `Nothing answers a mail server on ${name}.`, 'Start the service, or read its log.')];
};

async function negotiates(address: ListenAddress): Promise<boolean> {
  const socket = address.kind === 'tcp' ? connect(address.port, address.host ?? '127.0.0.1') : connect(address.path);
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const queue = createByteQueue();
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('timeout')));
  socket.on('error', reject);
  socket.on('end', () => resolve(false));
  socket.on('data', (chunk: Buffer) => {
    queue.push(chunk);
    const packet = readPacket(queue);
    if (packet !== null) resolve(packet !== 'malformed' && packet.command === 'O');
  });
  // The offer of Postfix 3.7.
  socket.write(writePacket('O', 6, 0x1ff, 0x1fffff));
  return await promise.finally(() => socket.destroy());
}
