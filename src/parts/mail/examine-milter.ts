import { askListener } from '#src/app/doctor/ask-listener.ts';
import { broken, type Examination, well } from '#src/app/doctor/finding.ts';
import type { ByteQueue } from '#src/core/base/byte-queue.ts';
import { formatListenAddress } from '#src/core/base/settings/listen-address.ts';
import { writePacket } from '#src/parts/mail/milter/milter-packet.ts';

/** Time for an answer, in milliseconds. */
const PATIENCE_MS = 2000;

/** The milter: its first address negotiates as a mail server expects. */
export const examineMilter: Examination = async ({ milter_listen: [address] }) => {
  if (address === undefined) return [];
  const name = formatListenAddress(address);
  // The offer of Postfix 3.7.
  const bytes = writePacket('O', 6, 0x1ff, 0x1fffff);
  const command = await askListener(address, { bytes, read: readCommand, patienceMs: PATIENCE_MS });
  return command === 'O'
    ? [well('milter', `${name} answers a mail server.`)]
    : [broken('milter', `Nothing answers a mail server on ${name}.`, 'Start the service, or read its log.')];
};

/** Returns the letter of a packet, which follows its length; null if it has not arrived. */
function readCommand(bytes: ByteQueue): string | null {
  return bytes.length < 5 ? null : bytes.peek(5).toString('latin1', 4);
}
