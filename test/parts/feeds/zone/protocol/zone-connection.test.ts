import { expect, test } from 'bun:test';
import { answerQuery, MAX_QUERY_BYTES } from '#src/parts/feeds/zone/protocol/answer-query.ts';
import { DNS, RCODE } from '#src/parts/feeds/zone/protocol/message.ts';
import { createZoneConnection } from '#src/parts/feeds/zone/protocol/zone-connection.ts';
import {
  framed,
  KEY,
  LONG_ZONE,
  messagesIn,
  NOW_SECONDS,
  queryOf,
  rcodeOf,
  signedQuery,
  ZONE,
} from '#test/support/zone-bytes.ts';

/** A connection with a key and a long zone. With `isSlow`, its peer takes a message only when `take` is called. */
function openConnection({ isSlow = false, answer = undefined as (() => never) | undefined } = {}) {
  const written: Buffer[] = [];
  const state = { isReceiving: true, ended: 0, failed: 0 };
  let taking = Promise.withResolvers<void>();
  const connection = createZoneConnection({
    async answer(query) {
      answer?.();
      const context = { zoneName: ZONE, zone: LONG_ZONE, keys: [KEY], nowSeconds: () => NOW_SECONDS };
      return answerQuery(query, { ...context, transport: 'tcp', mayTransfer: () => true })?.messages ?? [];
    },
    async write(bytes) {
      written.push(Buffer.from(bytes));
      if (isSlow) await taking.promise;
    },
    setReceiving(isReceiving) {
      state.isReceiving = isReceiving;
    },
    onFailed: () => void state.failed++,
    end: () => void state.ended++,
  });
  const settle = async () => {
    for (let turns = 0; turns < 100; turns++) await Promise.resolve();
  };
  return {
    connection,
    state,
    settle,
    /** Messages that were written so far. */
    async messages() {
      await settle();
      return messagesIn(Buffer.concat(written));
    },
    async take() {
      taking.resolve();
      taking = Promise.withResolvers();
      await settle();
    },
  };
}

const SOA = framed(signedQuery(queryOf(DNS.SOA)));
const AXFR = framed(signedQuery(queryOf(DNS.AXFR)));

test('answers queries in their order, several in one piece and one in single bytes', async () => {
  const one = openConnection();
  one.connection.receive(Buffer.concat([SOA, AXFR, SOA]));
  const together = await one.messages();
  expect(together.map((message) => message.readUInt16BE(6))).toEqual([1, ...together.slice(1, -1).map(recordsOf), 1]);
  expect(together).toHaveLength(5);
  const two = openConnection();
  for (const byte of Buffer.concat([SOA, AXFR, SOA])) two.connection.receive(Buffer.of(byte));
  expect(await two.messages()).toEqual(together);
  expect([one.state, two.state]).toEqual(Array(2).fill({ isReceiving: true, ended: 0, failed: 0 }));
});

const recordsOf = (message: Buffer) => message.readUInt16BE(6);

test('refuses a query without a signature between signed ones', async () => {
  const { connection, messages } = openConnection();
  connection.receive(Buffer.concat([SOA, framed(queryOf(DNS.AXFR)), SOA]));
  const answers = await messages();
  expect(answers.map(rcodeOf)).toEqual([RCODE.NOERROR, RCODE.REFUSED, RCODE.NOERROR]);
  expect(answers.map(recordsOf)).toEqual([1, 0, 1]);
});

test('makes one message at a time for a peer that reads slowly, and receives nothing meanwhile', async () => {
  const { connection, state, messages, take } = openConnection({ isSlow: true });
  connection.receive(Buffer.concat([AXFR, SOA]));
  for (let count = 1; count <= 4; count++) {
    expect(await messages()).toHaveLength(count);
    expect(state.isReceiving).toBe(false);
    await take();
  }
  expect(state.isReceiving).toBe(true);
});

test('a closed connection makes no further message', async () => {
  const { connection, state, messages, take } = openConnection({ isSlow: true });
  connection.receive(Buffer.concat([AXFR, SOA]));
  await messages();
  connection.close();
  await take();
  expect(await messages()).toHaveLength(1);
  connection.receive(SOA);
  expect(await messages()).toHaveLength(1);
  expect(state.ended).toBe(0);
});

test('a stop completes the transfer that is under way, and none that follows', async () => {
  const idle = openConnection();
  idle.connection.stop();
  expect(idle.state.ended).toBe(1);
  const { connection, state, messages, take } = openConnection({ isSlow: true });
  connection.receive(Buffer.concat([AXFR, SOA]));
  await messages();
  connection.stop();
  expect(state.ended).toBe(0);
  for (let count = 0; count < 3; count++) await take();
  expect(await messages()).toHaveLength(3);
  expect(state.ended).toBe(1);
});

test('ends on a query that is too long before it arrives, and after a fault of the program', async () => {
  const long = openConnection();
  const length = MAX_QUERY_BYTES + 1;
  long.connection.receive(Buffer.concat([SOA, Buffer.of(length >> 8, length & 0xff)]));
  expect(await long.messages()).toHaveLength(1);
  expect(long.state).toMatchObject({ ended: 1, failed: 0 });
  const broken = openConnection({
    answer() {
      throw new Error('a fault');
    },
  });
  broken.connection.receive(Buffer.concat([SOA, SOA]));
  expect(await broken.messages()).toEqual([]);
  expect(broken.state).toMatchObject({ ended: 1, failed: 1 });
});
