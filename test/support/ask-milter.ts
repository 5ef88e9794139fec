import { connect } from 'node:net';
import { mailPackets, OFFER, packetsIn, rawPacket } from './milter-bytes.ts';

/** Where a milter listens, and from which address of this host it is asked. */
export type MilterPlace =
  | { readonly path: string }
  | { readonly port: number; readonly host?: string; readonly localAddress?: string };

/**
 * Asks a milter about one mail, on a connection of its own. Returns the packets that it answered, as by `packetsIn`; none
 * if the connection was closed without an answer.
 */
export async function askMilter(place: MilterPlace, mail: Parameters<typeof mailPackets>[0]): Promise<string[]> {
  const socket = connect('path' in place ? place : { host: '127.0.0.1', ...place });
  const closed = Promise.withResolvers<void>();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // What was closed without an answer may say so by a reset.
  socket.on('error', () => {});
  socket.on('close', () => closed.resolve());
  socket.write(Buffer.concat([OFFER, mailPackets(mail), rawPacket('Q')]));
  await closed.promise;
  return packetsIn(Buffer.concat(chunks));
}

/** The mark that the answer of a milter adds to the mail; null without one. */
export function markIn(packets: readonly string[]): string | null {
  const added = packets.find((packet) => /^[hi].*X-Lurecheck\|/s.test(packet));
  return added?.split('|').at(-2) ?? null;
}
