import { writePacket } from '#src/parts/mail/milter/milter-packet.ts';

/** Offer of Postfix 3.7: version 6, with all of its actions and steps. */
export const OFFER = writePacket('O', 6, 0x1ff, 0x1fffff);

/** A packet whose data are bytes as they are. */
export function rawPacket(command: string, data: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.concat([Buffer.from(command, 'latin1'), Buffer.from(data as string)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length, 0);
  return Buffer.concat([length, bytes]);
}

/** The packets of a mail, as Postfix sends them. */
export function mailPackets({
  headers = [['From', 'it@bank.example']] as readonly (readonly [string, string])[],
  body = 'Hello\r\n',
  queueId = 'A1B2C3',
  macros = '',
}: {
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly queueId?: string;
  readonly macros?: string;
} = {}): Buffer {
  return Buffer.concat([
    rawPacket('D', `Mi\0${queueId}\0${macros}`),
    rawPacket('M', '<a@bank.example>\0'),
    rawPacket('R', '<b@office.example>\0'),
    rawPacket('T'),
    ...headers.map(([name, value]) => rawPacket('L', `${name}\0${value}\0`)),
    rawPacket('N'),
    rawPacket('B', body),
    rawPacket('E'),
  ]);
}

/** Packets as texts: the letter, then the data with `|` in place of zero bytes. */
export function packetsIn(bytes: Buffer): string[] {
  const packets: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    packets.push(bytes.toString('latin1', at + 4, end).replaceAll('\0', '|'));
    at = end;
  }
  return packets;
}
