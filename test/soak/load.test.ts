import { expect, test } from 'bun:test';
import { offence } from './load.ts';

const reply = (status: number, retryAfter: string | null) =>
  ({ kind: 'answered', status, retryAfter, requestId: null, body: '', sentMs: 0, endedMs: 1 }) as const;

test('of all server errors only 503 with Retry-After is accepted', () => {
  expect(offence(reply(503, '3'))).toBeNull();
  for (const [status, retryAfter] of [
    [503, null],
    [503, '0'],
    [503, 'soon'],
    [500, '3'],
    [502, null],
  ] as const) {
    expect(offence(reply(status, retryAfter))).toContain(String(status));
  }
  expect(offence({ kind: 'silent', sentMs: 0, endedMs: 1 })).toBe('no answer');
  expect(offence(reply(200, null))).toBeNull();
});
