import { expect, test } from 'bun:test';
import type { Reply } from './ask.ts';
import { createLedger, numberIn } from './ledger.ts';

const TIMES = { sentMs: 0, endedMs: 1 };
const answered = (status: number, body: string, requestId: string | null = null): Reply => ({
  ...TIMES,
  kind: 'answered',
  status,
  body,
  retryAfter: null,
  requestId,
});
const accepted = (id: string) => answered(200, JSON.stringify({ request_id: id }));
const row = (number: number, requestId: string, isUndelivered = 0) => ({
  requestId,
  url: `http://a.example/${numberIn(number)}`,
  isUndelivered,
});

/** A ledger with a public check answered as `a`, a private one as `b`, one refused, and one that was cut. */
function filled() {
  const ledger = createLedger();
  const numbers = (['public', 'private', 'public', 'public'] as const).map(ledger.open);
  const [first = -1, second = -1, refused = -1, cut = -1] = numbers;
  ledger.close(first, accepted('a'));
  ledger.close(second, answered(200, 'event: stage\ndata: {}\n\nevent: result\ndata: {"request_id":"b"}\n\n'));
  ledger.close(refused, answered(503, '{}'));
  ledger.close(cut, { ...TIMES, kind: 'cut', problem: 'ECONNRESET' });
  return { ledger, first, second, refused, cut };
}

test('answered checks that are logged once, and cut checks that are logged or not, violate no guarantee', () => {
  const { ledger, first, second, cut } = filled();
  expect(ledger.acknowledged).toBe(2);
  expect(ledger.judge({ public: [row(first, 'a')], private: [row(second, 'b')] })).toEqual([]);
  expect(ledger.judge({ public: [row(cut, 'c', 1), row(first, 'a')], private: [row(second, 'b')] })).toEqual([]);
});

test('each violation of a guarantee is reported', () => {
  const { ledger, first, second, refused } = filled();
  const good = { public: [row(first, 'a')], private: [row(second, 'b')] };
  const problemsOf = (logs: Partial<typeof good>) => ledger.judge({ ...good, ...logs });
  expect(problemsOf({ public: [] })).toEqual([`check ${first} was answered, and the public log lacks it`]);
  expect(problemsOf({ public: [row(first, 'a'), row(first, 'a')] })).toEqual([`check ${first} is logged twice`]);
  expect(problemsOf({ public: [row(first, 'a', 1)] })).toEqual([
    `check ${first} was answered, and is logged as not delivered`,
  ]);
  expect(problemsOf({ public: [row(first, 'x')] })).toEqual([`check ${first} is logged as x and was answered as a`]);
  expect(problemsOf({ public: [row(first, 'a'), row(refused, 'r')] })).toEqual([
    `check ${refused} was refused, and is in the public log`,
  ]);
  expect(problemsOf({ public: [row(first, 'a'), row(second, 'b')] })).toEqual([
    'a private check is in the public log',
    `check ${second} is logged twice`,
  ]);
  expect(problemsOf({ public: [row(first, 'a'), row(99, 'z')] }).length).toBe(1);
});

test('an answer without an id, or with two, is reported at once', () => {
  const ledger = createLedger();
  expect(ledger.close(ledger.open('public'), answered(200, '{}'))).toContain('without a request_id');
  expect(ledger.close(ledger.open('public'), answered(200, '{"request_id":"a"}', 'b'))).toContain('two ids');
  expect(ledger.close(ledger.open('public'), answered(200, 'event: problem\ndata: {}\n\n'))).toBeNull();
});
