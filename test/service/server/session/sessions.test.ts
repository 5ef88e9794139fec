import { expect, test } from 'bun:test';
import type { ApiKey } from '#src/admin/keys/api-key.ts';
import { HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { createSessions } from '#src/service/server/session/sessions.ts';

const KEY: ApiKey = {
  name: 'desk',
  secret_sha256: 'a'.repeat(64),
  scopes: ['admin'],
  limit: null,
  created_at: '2026-01-31T12:00:00.000Z',
  expires_at: null,
};

const SECRET = Buffer.alloc(32, 7);

/** Two nodes with one secret, whose ended sessions are the same. */
function openNodes(secret = SECRET) {
  const now = { ms: 1_700_000_000_000, keys: [KEY] as ApiKey[] };
  const ids = new Map<string, number>();
  const parts = {
    keys: { withDigest: (digest: string) => now.keys.find((key) => key.secret_sha256 === digest) ?? null },
    ended: { has: (id: string) => ids.has(id), end: (id: string, untilMs: number) => void ids.set(id, untilMs) },
    clock: { now: () => now.ms },
  };
  const node = () => createSessions({ ...parts, secret: () => SECRET });
  return { now, ids, one: node(), other: createSessions({ ...parts, secret: () => secret }) };
}

test('a session ends 30 minutes after its last use at any node, and 12 hours after its start', () => {
  const { now, one, other } = openNodes();
  const idle = one.open(KEY);
  let used = one.open(KEY);
  const startedMs = now.ms;
  const use = (node: typeof one) => {
    const found = node.find(used);
    used = found?.renewed ?? used;
    return found;
  };
  for (let minutes = 0; minutes < 29; minutes++) {
    now.ms += MINUTE_MS;
    expect(use(minutes % 2 ? one : other)?.key).toBe(KEY);
  }
  now.ms += MINUTE_MS;
  expect([one.find(idle), use(other)?.key]).toEqual([null, KEY]);
  const endMs = startedMs + 12 * HOUR_MS;
  for (; now.ms + 29 * MINUTE_MS < endMs; now.ms += 29 * MINUTE_MS) expect(use(one)?.key).toBe(KEY);
  expect(use(one)?.leftMs).toBe(endMs - now.ms);
  now.ms = endMs;
  expect(use(one)).toBeNull();
});

test('a token is renewed once a minute, and keeps its session', () => {
  const { now, one, other } = openNodes();
  const first = one.open(KEY);
  now.ms += MINUTE_MS - 1;
  expect(one.find(first)?.renewed).toBeNull();
  now.ms += 1;
  const second = one.find(first)?.renewed ?? '';
  expect(second).toMatch(/^[\w-]{123}$/);
  expect(one.find(second)?.renewed).toBeNull();
  // Whoever ends one of them ends both.
  expect(other.close(second)).toBe(KEY);
  expect([one.find(first), one.find(second), other.close(first)]).toEqual([null, null, null]);
});

test('a session ends with its key, and does not pass to another key of the same name', () => {
  const { now, one } = openNodes();
  const token = one.open(KEY);
  now.keys = [{ ...KEY, secret_sha256: 'b'.repeat(64) }];
  expect(one.find(token)).toBeNull();
  now.keys = [];
  expect(one.find(token)).toBeNull();
});

test.each<Partial<ApiKey>>([
  { scopes: ['lists'] },
  { scopes: ['admin', 'lists'] },
  { expires_at: '2027-01-31T12:00:00.000Z' },
])('a session has the rights of its sign-in, or none: %j', (change) => {
  const { now, one } = openNodes();
  const token = one.open(KEY);
  now.keys = [{ ...KEY, ...change }];
  expect(one.find(token)).toBeNull();
});

test('a session lasts when only the limit of its key is changed', () => {
  const { now, one } = openNodes();
  const token = one.open(KEY);
  now.keys = [{ ...KEY, limit: 5 }];
  expect(one.find(token)?.key.limit).toBe(5);
});

test('no other token opens a session: changed in any bit, cut, or signed with another secret', () => {
  const { one, other } = openNodes(Buffer.alloc(32, 8));
  const token = one.open(KEY);
  expect(other.find(token)).toBeNull();
  const bytes = Buffer.from(token, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(one.find(changed.toString('base64url'))).toBeNull();
  }
  for (const text of ['', token.slice(1), `${token}A`, 'A'.repeat(123)]) expect(one.find(text)).toBeNull();
  expect(new Set(Array.from({ length: 32 }, () => one.open(KEY))).size).toBe(32);
});

test('the record of an ended session lasts as long as its tokens', () => {
  const { now, ids, one } = openNodes();
  one.close(one.open(KEY));
  expect([...ids.values()]).toEqual([now.ms + 12 * HOUR_MS]);
});
