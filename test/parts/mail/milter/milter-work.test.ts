import { expect, test } from 'bun:test';
import { createMailRoom } from '#src/parts/mail/milter/mail-room.ts';
import { createMilterConnection } from '#src/parts/mail/milter/milter-connection.ts';
import { MAX_MAIL_BYTES, type ReceivedMail } from '#src/parts/mail/milter/received-mail.ts';
import { mailPackets, OFFER, packetsIn, rawPacket } from '#test/support/milter-bytes.ts';

const MIB = 1024 * 1024;

/** A connection that collects, with what it takes of the room at most. */
function connect(roomBytes = 2 ** 30) {
  const mails: ReceivedMail[] = [];
  const written: Buffer[] = [];
  const state = { taken: 0, most: 0, resumed: 0 };
  const room = createMailRoom(roomBytes);
  const connection = createMilterConnection({
    async decide(mail) {
      mails.push(mail);
      return { mark: 'none; links=0', isFlagged: false, action: 'accept' };
    },
    room: {
      take(bytes) {
        const isTaken = room.take(bytes);
        if (isTaken) state.taken += bytes;
        state.most = Math.max(state.most, state.taken);
        return isTaken;
      },
      release(bytes) {
        state.taken -= bytes;
        room.release(bytes);
      },
    },
    write: (bytes) => void written.push(Buffer.from(bytes)),
    end() {},
    resume: () => void state.resumed++,
  });
  return { connection, mails, state, written };
}

/** Processor time of the longest synchronous step, in milliseconds, while bytes arrive as from a socket. */
async function longestStep(bytes: Buffer): Promise<number> {
  const { connection } = connect();
  let longest = 0;
  for (let at = 0; at < bytes.length; at += 65_536) {
    const start = process.cpuUsage();
    connection.receive(bytes.subarray(at, at + 65_536));
    const { user, system } = process.cpuUsage(start);
    longest = Math.max(longest, (user + system) / 1000);
    while (connection.isBusy()) await new Promise(setImmediate);
  }
  return longest;
}

const HOSTILE: readonly (readonly [string, () => Buffer])[] = [
  ['macros of zero bytes', () => rawPacket('D', Buffer.alloc(MIB - 1))],
  ['a header of zero bytes', () => rawPacket('L', Buffer.alloc(MIB - 1))],
  ['a header of one letter', () => rawPacket('L', `${'x'.repeat(MIB - 10)}\0y\0`)],
  ['an unknown command', () => rawPacket('Z', Buffer.alloc(MIB - 1))],
  ['a body of line ends', () => rawPacket('B', '\n'.repeat(MIB - 1))],
];

test.each(HOSTILE)('takes no more than a packet of 1 MiB of a body does for %s', async (_, make) => {
  const packet = make();
  const plain = rawPacket('B', 'x'.repeat(MIB - 1));
  await longestStep(packet);
  const times = async (bytes: Buffer) => {
    let fastest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) fastest = Math.min(fastest, await longestStep(bytes));
    return fastest;
  };
  // A million objects took a hundred times as long as a copy.
  expect(await times(packet)).toBeLessThan(10 * (await times(plain)) + 2);
});

test.each(HOSTILE)('holds less memory than the packet for %s', async (_, make) => {
  const { connection, state } = connect();
  connection.receive(make());
  expect(state.most).toBeLessThanOrEqual(2 * MIB);
  connection.close();
  expect(state.taken).toBe(0);
});

test('a mail of 300,000 headers is handled in turns, costs what it weighs, and its body is read', async () => {
  const { connection, mails, state, written } = connect();
  const headers = Array.from({ length: 300_000 }, () => rawPacket('L', 'a\0b\0'));
  const content = rawPacket('L', 'Content-Type\0text/html\0');
  const body = rawPacket('B', 'the body');
  const bytes = Buffer.concat([OFFER, rawPacket('M'), ...headers, content, body, rawPacket('E')]);
  let turns = 0;
  for (let at = 0; at < bytes.length; at += 65_536) {
    connection.receive(bytes.subarray(at, at + 65_536));
    for (; connection.isBusy(); turns++) await new Promise(setImmediate);
  }
  expect(turns).toBeGreaterThan(500);
  expect(state.most).toBeLessThan(64 * 1024);
  expect(state.resumed).toBeGreaterThan(0);
  const [mail] = mails;
  const text = Buffer.from(mail?.bytes ?? []).toString('latin1');
  expect(mail?.isWhole).toBe(false);
  expect(text.split('a: b\r\n').length - 1).toBe(2000);
  expect(text).toEndWith('Content-Type: text/html\r\n\r\nthe body');
  expect(packetsIn(Buffer.concat(written)).at(-1)).toBe('c');
});

test('answers of one turn are written together', async () => {
  const { connection, written } = connect();
  connection.receive(rawPacket('O', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0x3f, 0, 0, 0, 0x7f])));
  connection.receive(Buffer.concat(Array.from({ length: 400 }, () => rawPacket('L', 'a\0b\0'))));
  expect(written.length).toBe(2);
  expect(packetsIn(Buffer.concat(written)).slice(1)).toEqual(Array(400).fill('c'));
});

test('removes 100,000 forged headers, the last first', async () => {
  const { connection, written } = connect();
  const forged = Array.from({ length: 100_000 }, () => rawPacket('L', 'X-Lurecheck\0allow\0'));
  connection.receive(Buffer.concat([OFFER, rawPacket('M'), ...forged, rawPacket('E')]));
  while (connection.isBusy()) await new Promise(setImmediate);
  const changes = packetsIn(Buffer.concat(written)).filter((packet) => packet.startsWith('m'));
  expect(changes.length).toBe(100_000);
  expect(changes[0]).toBe(`m|${String.fromCharCode(1, 0x86, 0xa0)}x-lurecheck||`);
  expect(changes.at(-1)).toBe('m|||\u0001x-lurecheck||');
});

test('half packets take their place in the room, and without a place the header is left out', async () => {
  const half = rawPacket('L', `Subject\0${'x'.repeat(100_000)}\0`);
  const { connection, state } = connect();
  connection.receive(half.subarray(0, 50_000));
  expect(state.taken).toBeGreaterThanOrEqual(2 * 100_000);
  connection.receive(half.subarray(50_000));
  expect(state.taken).toBeLessThan(2 * 131_072);
  connection.close();
  expect(state.taken).toBe(0);
  const small = connect(10_000);
  small.connection.receive(OFFER);
  for (let at = 0; at < half.length; at += 1000) small.connection.receive(half.subarray(at, at + 1000));
  small.connection.receive(mailPackets().subarray(0));
  await Promise.resolve();
  expect(small.mails).toMatchObject([{ isWhole: false }]);
  expect(small.state.most).toBeLessThanOrEqual(10_000);
});

test('a body is not held as a packet while it arrives', () => {
  const { connection, state } = connect();
  const piece = rawPacket('B', 'x'.repeat(MIB - 1));
  connection.receive(rawPacket('M'));
  for (let round = 0; round < 4; round++)
    for (let at = 0; at < piece.length; at += 65_536) connection.receive(piece.subarray(at, at + 65_536));
  expect(state.most).toBe(MAX_MAIL_BYTES);
});

test('the body of a mail without headers is not taken for headers', async () => {
  const { connection, mails } = connect();
  connection.receive(Buffer.concat([OFFER, mailPackets({ headers: [], body: 'http://evil.example/\r\n' })]));
  await Promise.resolve();
  expect(Buffer.from(mails[0]?.bytes ?? []).toString()).toBe('MIME-Version: 1.0\r\n\r\nhttp://evil.example/\r\n');
});

test('a step handles 500 packets, whatever arrives at once', async () => {
  const { connection, written } = connect();
  const answers = () => packetsIn(Buffer.concat(written)).length;
  // Without a waived answer, each packet has one.
  connection.receive(rawPacket('O', Buffer.from([0, 0, 0, 6, 0, 0, 0, 0x3f, 0, 0, 0, 0])));
  connection.receive(Buffer.concat(Array.from({ length: 2000 }, () => rawPacket('R', '<a@b>\0'))));
  for (let step = 1; step <= 4; step++) {
    expect(answers()).toBe(1 + 500 * step);
    await new Promise(setImmediate);
  }
});
