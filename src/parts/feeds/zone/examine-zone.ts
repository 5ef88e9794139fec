import { randomInt } from 'node:crypto';
import { askListener } from '#src/app/doctor/ask-listener.ts';
import { broken, type Examination, well } from '#src/app/doctor/finding.ts';
import { formatListenAddress } from '#src/core/base/settings/listen-address.ts';
import { DNS, RCODE, readDnsMessage, writeQuestion } from '#src/parts/feeds/zone/protocol/message.ts';
import { type TsigKey, ZONE_NAME } from '#src/parts/feeds/zone/protocol/settings.ts';
import { signMessage } from '#src/parts/feeds/zone/protocol/tsig.ts';

/** Time for an answer, in milliseconds: the first version of a long zone takes seconds to make. */
const PATIENCE_MS = 10_000;

/** The zone transfer: its first address answers a name server that asks for the serial. */
export const examineZone: Examination = async ({ zone_listen: [address], zone_keys: [key = null] }) => {
  if (address === undefined) return [];
  const name = formatListenAddress(address);
  const query = serialQuery(key);
  const answer = await askListener(address, {
    bytes: Buffer.concat([Uint8Array.of(query.length >> 8, query.length & 0xff), query]),
    read(queue) {
      const isWhole = queue.length >= 2 && queue.length >= 2 + queue.peek(2).readUInt16BE(0);
      return isWhole ? { rcode: readDnsMessage(queue.peek().subarray(2))?.rcode } : null;
    },
    patienceMs: PATIENCE_MS,
  });
  if (answer?.rcode === RCODE.NOERROR) return [well('zone', `${name} answers a name server.`)];
  return answer?.rcode === RCODE.SERVFAIL
    ? [broken('zone', `${name} has no version of the zone.`, 'Read the event feeds.kept in the log of the service.')]
    : [broken('zone', `${name} does not answer a name server.`, 'Start or reload the service, or read its log.')];
};

/** A query for the serial, with the first key as its signature. */
function serialQuery(key: TsigKey | null): Buffer {
  const question = writeQuestion({ id: randomInt(2 ** 16), name: ZONE_NAME, type: DNS.SOA });
  const timeSigned = Math.floor(Date.now() / 1000);
  return key === null ? question : signMessage(question, { key, prior: null, timeSigned }).bytes;
}
