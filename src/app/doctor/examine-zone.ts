import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { createByteQueue } from '#src/core/base/byte-queue.ts';
import { formatListenAddress, type PortAddress } from '#src/core/base/settings/listen-address.ts';
import { ZONE_NAME } from '#src/service/feeds/zone-name.ts';
import { DNS, RCODE, readDnsMessage, writeQuestion } from '#src/service/zone/message.ts';
import { signMessage } from '#src/service/zone/tsig.ts';
import type { TsigKey } from '#src/service/zone/tsig-key.ts';
import { broken, type Examination, well } from './finding.ts';

/** Time for an answer, in milliseconds: the first version of a long zone takes seconds to make. */
const PATIENCE_MS = 10_000;

/** The zone transfer: its first address answers a name server that asks for the serial. */
export const examineZone: Examination = async ({ zone_listen: [address], zone_keys: [key = null] }) => {
  if (address === undefined) return [];
  const name = formatListenAddress(address);
  const rcode = await ask(address, key).catch(() => null);
  if (rcode === RCODE.NOERROR) return [well('zone', `${name} answers a name server.`)];
  return rcode === RCODE.SERVFAIL
    ? [broken('zone', `${name} has no version of the zone.`, 'Read the event feeds.kept in the log of the service.')]
    : [broken('zone', `${name} does not answer a name server.`, 'Start or reload the service, or read its log.')];
};

/** Asks for the serial; returns the code of the answer, null for an answer that cannot be read. */
async function ask({ host, port }: PortAddress, key: TsigKey | null): Promise<number | null> {
  const socket = connect(port, host ?? '127.0.0.1');
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  const queue = createByteQueue();
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('timeout')));
  socket.on('error', reject);
  socket.on('close', () => resolve(null));
  socket.on('data', (chunk: Buffer) => {
    queue.push(chunk);
    const length = queue.length < 2 ? null : queue.peek(2).readUInt16BE(0);
    if (length !== null && queue.length >= 2 + length) resolve(readDnsMessage(queue.peek().subarray(2))?.rcode ?? null);
  });
  const question = writeQuestion({ id: randomInt(2 ** 16), name: ZONE_NAME, type: DNS.SOA });
  const timeSigned = Math.floor(Date.now() / 1000);
  const query = key === null ? question : signMessage(question, { key, prior: null, timeSigned }).bytes;
  socket.write(Buffer.concat([Uint8Array.of(query.length >> 8, query.length & 0xff), query]));
  return await promise.finally(() => socket.destroy());
}
