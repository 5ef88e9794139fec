import { expect, test } from 'bun:test';
import { createMailRoom } from '#src/parts/mail/milter/mail-room.ts';
import { createMilterConnection } from '#src/parts/mail/milter/milter-connection.ts';
import type { MilterDecision } from '#src/parts/mail/milter/milter-reply.ts';
import { MAX_MAIL_BYTES, type ReceivedMail } from '#src/parts/mail/milter/received-mail.ts';
import { mailPackets, OFFER, packetsIn, rawPacket } from '#test/support/milter-bytes.ts';

const MARKED: MilterDecision = { mark: 'block; links=1', isFlagged: true, action: 'accept' };

/** A connection whose mails get one decision; `settle` waits for the decisions that are under way. */
function connect(decision: MilterDecision = MARKED, roomBytes = 2 ** 30) {
  const mails: ReceivedMail[] = [];
  const written: Buffer[] = [];
  const state = { ended: false, taken: 0 };
  const room = createMailRoom(roomBytes);
  const connection = createMilterConnection({
    async decide(mail) {
      mails.push(mail);
      return decision;
    },
    room: {
      take(bytes) {
        const isTaken = room.take(bytes);
        if (isTaken) state.taken += bytes;
        return isTaken;
      },
      release(bytes) {
        state.taken -= bytes;
        room.release(bytes);
      },
    },
    write: (bytes) => void written.push(Buffer.from(bytes)),
    end: () => {
      state.ended = true;
    },
  });
  const answers = async () => {
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
    return packetsIn(Buffer.concat(written.splice(0)));
  };
  return { connection, mails, state, answers };
}

const textOf = ({ bytes }: ReceivedMail) => Buffer.from(bytes).toString('latin1');

test('skips all replies, and requests three actions that the mail server offers', async () => {
  const { connection, answers } = connect();
  connection.receive(OFFER);
  expect(await answers()).toEqual([
    `O${Buffer.from([0, 0, 0, 6, 0, 0, 0, 0x31, 0, 0x0f, 0xf0, 0x80]).toString('latin1').replaceAll('\0', '|')}`,
  ]);
});

test('answers each step of a mail server that skips no replies, and an unknown command', async () => {
  const { connection, answers } = connect();
  connection.receive(Buffer.concat([rawPacket('O', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0x3f, 0, 0, 0, 0x7f]))]));
  connection.receive(
    Buffer.concat(['C', 'H', 'M', 'L', 'N', 'B', 'U', 'Z'].map((command) => rawPacket(command, 'x\0'))),
  );
  expect((await answers()).slice(1)).toEqual(Array(8).fill('c'));
});

test('adds its headers, and removes forged ones from last to first, in any letter case', async () => {
  const { connection, mails, answers } = connect();
  const headers = [
    ['X-Lurecheck', 'allow'],
    ['Subject', 'Hello'],
    ['x-LURECHECK', 'allow'],
    ['X-Lurecheck-flag', 'NO'],
    ['X-Lurecheck-Other', 'stays'],
  ] as const;
  connection.receive(Buffer.concat([OFFER, mailPackets({ headers })]));
  expect((await answers()).slice(1)).toEqual([
    'm|||\u0002x-lurecheck||',
    'm|||\u0001x-lurecheck||',
    'm|||\u0001x-lurecheck-flag||',
    'hX-Lurecheck|block; links=1|',
    'hX-Lurecheck-Flag|YES|',
    'c',
  ]);
  expect(mails.map(textOf)).toEqual(['Subject: Hello\r\nX-Lurecheck-Other: stays\r\n\r\nHello\r\n']);
  expect(mails[0]).toMatchObject({ queueId: 'A1B2C3', isAuthenticated: false, isWhole: true });
});

test('quarantines or rejects a message as decided', async () => {
  const quarantine = connect({ ...MARKED, action: 'quarantine' });
  quarantine.connection.receive(Buffer.concat([OFFER, mailPackets()]));
  expect((await quarantine.answers()).slice(-2)).toEqual(['qlurecheck: this message is blocked as phishing|', 'c']);
  const reject = connect({ ...MARKED, action: 'reject' });
  reject.connection.receive(Buffer.concat([OFFER, mailPackets()]));
  expect((await reject.answers()).slice(1)).toEqual(['y550 5.7.1 This message is blocked as phishing|']);
});

test('makes no change that the mail server does not permit', async () => {
  const { connection, answers } = connect({ ...MARKED, action: 'quarantine' });
  const offer = rawPacket('O', Buffer.from([0, 0, 0, 6, 0, 0, 0, 0, 0, 0x1f, 0xff, 0xff]));
  connection.receive(Buffer.concat([offer, mailPackets({ headers: [['X-Lurecheck', 'allow']] })]));
  expect((await answers()).slice(1)).toEqual(['c']);
});

test('limits a header value to ASCII and 900 characters', async () => {
  const { connection, answers } = connect({ mark: `ü\r\n${'x'.repeat(2000)}`, isFlagged: false, action: 'accept' });
  connection.receive(Buffer.concat([OFFER, mailPackets()]));
  expect((await answers())[1]).toBe(`hX-Lurecheck| ${'x'.repeat(899)}|`);
});

test('reads many messages on one connection, with aborts and new sessions, byte by byte', async () => {
  const { connection, mails, state, answers } = connect();
  const bytes = Buffer.concat([
    OFFER,
    mailPackets({ body: 'one' }),
    rawPacket('M', '<a@b>\0'),
    rawPacket('B', 'aborted'),
    rawPacket('A'),
    mailPackets({ body: 'two', macros: '{auth_authen}\0anna\0' }),
    rawPacket('K'),
    mailPackets({ body: 'three', queueId: '' }),
  ]);
  for (const byte of bytes) {
    connection.receive(Buffer.from([byte]));
    if (connection.isBusy()) await answers();
  }
  await answers();
  expect(mails.map((mail) => textOf(mail).split('\r\n\r\n')[1])).toEqual(['one', 'two', 'three']);
  expect(mails.map(({ isAuthenticated }) => isAuthenticated)).toEqual([false, true, false]);
  expect(mails.map(({ queueId }) => queueId)).toEqual(['A1B2C3', 'A1B2C3', null]);
  connection.receive(rawPacket('Q'));
  expect(state).toEqual({ ended: true, taken: 0 });
});

test('stores only the beginning of a long message, within the memory limit for all messages', async () => {
  const piece = rawPacket('B', 'x'.repeat(65_535));
  const long = Buffer.concat([OFFER, ...Array(400).fill(piece), rawPacket('E')]);
  const one = connect();
  one.connection.receive(long);
  await one.answers();
  expect(one.mails.map(({ bytes, isWhole }) => [bytes.length, isWhole])).toEqual([[MAX_MAIL_BYTES, false]]);
  expect(one.state.taken).toBe(0);
  const small = connect(MARKED, 100_000);
  small.connection.receive(long);
  await small.answers();
  expect(small.mails[0]?.bytes.length).toBeLessThanOrEqual(100_000);
  expect(small.mails[0]?.isWhole).toBe(false);
});

test.each([
  ['a packet of 4 GB', Buffer.from([0xff, 0xff, 0xff, 0xff])],
  ['an empty packet', Buffer.alloc(4)],
  ['an offer without its numbers', rawPacket('O', 'xy')],
  ['version 1', rawPacket('O', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]))],
])('closes the connection on %s', (_, bytes) => {
  const { connection, state } = connect();
  connection.receive(bytes);
  expect(state.ended).toBe(true);
});

test('a stop waits for the message that is being received', async () => {
  const idle = connect();
  idle.connection.receive(Buffer.concat([OFFER, mailPackets()]));
  await idle.answers();
  idle.connection.stop();
  expect(idle.state.ended).toBe(true);
  const amid = connect();
  amid.connection.receive(Buffer.concat([OFFER, rawPacket('M', '<a@b>\0'), rawPacket('B', 'text')]));
  amid.connection.stop();
  expect(amid.state.ended).toBe(false);
  amid.connection.receive(rawPacket('E'));
  expect((await amid.answers()).at(-1)).toBe('c');
  expect(amid.state.ended).toBe(true);
});

test('a closed connection releases its memory, even during a decision', async () => {
  const { connection, state, answers } = connect();
  connection.receive(Buffer.concat([OFFER, rawPacket('M', '<a@b>\0'), rawPacket('B', 'text')]));
  expect(state.taken).toBeGreaterThan(0);
  connection.close();
  expect(state.taken).toBe(0);
  const deciding = connect();
  deciding.connection.receive(Buffer.concat([OFFER, mailPackets()]));
  deciding.connection.close();
  expect((await deciding.answers()).slice(1)).toEqual([]);
  expect(deciding.state.taken).toBe(0);
  expect(await answers()).toHaveLength(1);
});
