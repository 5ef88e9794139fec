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

function openSessions() {
  const now = { ms: 1000, keys: [KEY] as ApiKey[] };
  const withDigest = (digest: string) => now.keys.find((key) => key.secret_sha256 === digest) ?? null;
  return { now, sessions: createSessions({ withDigest }, { monotonicMs: () => now.ms }) };
}

test('a session ends 30 minutes after its last use, and 12 hours after its start', () => {
  const { now, sessions } = openSessions();
  const [idle, used] = [sessions.open(KEY), sessions.open(KEY)];
  for (let minutes = 0; minutes < 29; minutes++) {
    now.ms += MINUTE_MS;
    expect(sessions.find(used)?.key).toBe(KEY);
  }
  now.ms += MINUTE_MS;
  expect([sessions.find(idle), sessions.find(used)?.key]).toEqual([null, KEY]);
  const endMs = 1000 + 12 * HOUR_MS;
  for (; now.ms + 29 * MINUTE_MS < endMs; now.ms += 29 * MINUTE_MS) expect(sessions.find(used)?.key).toBe(KEY);
  expect(sessions.find(used)?.leftMs).toBe(endMs - now.ms);
  now.ms = endMs;
  expect(sessions.find(used)).toBeNull();
});

test('a session ends with its key, and does not pass to another key of the same name', () => {
  const { now, sessions } = openSessions();
  const id = sessions.open(KEY);
  now.keys = [{ ...KEY, secret_sha256: 'b'.repeat(64) }];
  expect(sessions.find(id)).toBeNull();
  now.keys = [KEY];
  expect(sessions.find(id)).toBeNull();
});

test.each<Partial<ApiKey>>([
  { scopes: ['lists'] },
  { scopes: ['admin', 'lists'] },
  { expires_at: '2027-01-31T12:00:00.000Z' },
])('a session ends when its key is changed: %j', (change) => {
  const { now, sessions } = openSessions();
  const id = sessions.open(KEY);
  now.keys = [{ ...KEY, ...change }];
  expect(sessions.find(id)).toBeNull();
  now.keys = [KEY];
  expect(sessions.find(id)).toBeNull();
});

test('a session lasts when only the limit of its key is changed', () => {
  const { now, sessions } = openSessions();
  const id = sessions.open(KEY);
  now.keys = [{ ...KEY, limit: 5 }];
  expect(sessions.find(id)?.key.limit).toBe(5);
});

test('session ids are random, and a closed session cannot be used', () => {
  const { sessions } = openSessions();
  const ids = Array.from({ length: 32 }, () => sessions.open(KEY));
  expect(new Set(ids).size).toBe(32);
  for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/);
  expect(sessions.close(ids[0] ?? '')).toBe(KEY);
  expect([sessions.find(ids[0] ?? ''), sessions.close(ids[0] ?? ''), sessions.find(ids[1] ?? '')?.key]).toEqual([
    null,
    null,
    KEY,
  ]);
});

test('of more than 32 sessions of a key the one that was used least recently ends, and none of another key', () => {
  const { now, sessions } = openSessions();
  const OTHER: ApiKey = { ...KEY, name: 'other', secret_sha256: 'b'.repeat(64) };
  now.keys = [KEY, OTHER];
  const other = sessions.open(OTHER);
  const ids = Array.from({ length: 32 }, () => sessions.open(KEY));
  expect(sessions.find(ids[0] ?? '')?.key).toBe(KEY);
  sessions.open(KEY);
  expect([sessions.find(ids[0] ?? '')?.key, sessions.find(ids[1] ?? '')]).toEqual([KEY, null]);
  for (let n = 0; n < 10_000; n++) sessions.open(KEY);
  expect([sessions.find(ids[0] ?? ''), sessions.find(other)?.key]).toEqual([null, OTHER]);
});

test('above 1,000 sessions the least recently used one ends', () => {
  const { now, sessions } = openSessions();
  const keys = Array.from({ length: 1001 }, (_, n) => ({ ...KEY, secret_sha256: String(n).padStart(64, '0') }));
  now.keys = keys;
  const ids = keys.slice(0, 1000).map((key) => sessions.open(key));
  expect(sessions.find(ids[0] ?? '')?.key).toBe(now.keys[0]);
  sessions.open({ ...KEY, secret_sha256: '1000'.padStart(64, '0') });
  expect([sessions.find(ids[0] ?? '')?.key, sessions.find(ids[1] ?? '')]).toEqual([keys[0], null]);
});
