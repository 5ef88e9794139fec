import { expect, test } from 'bun:test';
import { createMailRoom } from '#src/parts/mail/milter/mail-room.ts';
import { createMilterConnection } from '#src/parts/mail/milter/milter-connection.ts';
import { MAX_MAIL_BYTES } from '#src/parts/mail/milter/received-mail.ts';
import { mailPackets, OFFER, rawPacket } from '#test/support/milter-bytes.ts';
import { mutatedBytes } from '#test/support/mutated-bytes.ts';
import { createRandom, type Random } from '#test/support/random.ts';

const SAMPLES = [
  Buffer.concat([OFFER, mailPackets(), rawPacket('Q')]),
  Buffer.concat([mailPackets({ headers: [['X-Lurecheck', 'allow']], macros: '{auth_authen}\0anna\0' }), mailPackets()]),
  Buffer.concat([
    OFFER,
    rawPacket('D', 'Cj\0mx\0{daemon_name}\0'),
    rawPacket('C', 'host\u00004\u0000\u0019127.0.0.1\0'),
  ]),
  Buffer.concat([rawPacket('M', '<a@b>\0'), rawPacket('A'), rawPacket('K'), rawPacket('Z', 'x')]),
];

const PIECES = ['\0', '\0\0\0\u0001', '\0\0\0\u0005L', 'ÿÿÿÿ', 'E', 'B', 'O', 'D', 'X-Lurecheck\0'];

const mutated = (random: Random) =>
  mutatedBytes(random, {
    samples: SAMPLES,
    changes: 4,
    piece: (from) => Buffer.from(from.pick(PIECES), 'latin1'),
  });

/** Inputs of a whole run, and the processor time after which a busy or slow host ends it, in milliseconds. */
const INPUTS = 1_000_000;
const MOST_CPU_MS = 60_000;

test('answers or refuses a million damaged inputs, without an exception or unbounded memory', async () => {
  const random = createRandom(305);
  const start = process.cpuUsage();
  const room = { ...createMailRoom(2 ** 40), taken: 0 };
  let inputs = 0;
  for (; inputs < INPUTS; inputs++) {
    const bytes = mutated(random);
    let written = 0;
    const connection = createMilterConnection({
      async decide(mail) {
        if (mail.bytes.length > Math.min(MAX_MAIL_BYTES, 3 * bytes.length + 2)) throw new Error('a mail grew');
        return { mark: 'allow', isFlagged: false, action: 'accept' };
      },
      room: {
        take(count) {
          room.taken += count;
          return true;
        },
        release(count) {
          room.taken -= count;
        },
      },
      write(piece) {
        written += piece.length;
      },
      end() {},
    });
    const size = random.below(2) ? bytes.length || 1 : 1 + random.below(7);
    for (let at = 0; at < bytes.length; at += size) connection.receive(bytes.subarray(at, at + size));
    for (let turns = 0; connection.isBusy() && turns < 50; turns++) await Promise.resolve();
    connection.close();
    if (room.taken !== 0) throw new Error(`memory stays: ${JSON.stringify(bytes.toString('latin1'))}`);
    if (written > 20 * bytes.length + 100)
      throw new Error(`an answer grew: ${JSON.stringify(bytes.toString('latin1'))}`);
    if (inputs % 1000 === 0) {
      const { user, system } = process.cpuUsage(start);
      if ((user + system) / 1000 > MOST_CPU_MS) break;
    }
  }
  expect(inputs).toBeGreaterThan(INPUTS / 20);
});
