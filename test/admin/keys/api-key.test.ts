import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { isExpired, keyFileIn, keyOf, makeKey, readKeys, writeKeys } from '#src/admin/keys/api-key.ts';
import { openKeyRing } from '#src/admin/keys/key-ring.ts';
import { endOfDay, systemClock } from '#src/core/base/clock.ts';
import { bearerOf, bearerRefusal } from '#src/service/server/keys/bearer.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const WANTED = { name: 'some', scopes: ['check' as const], limit: null, expires_at: null };

test('a key is found only by its secret, which the key file does not contain', () => {
  const made = Array.from({ length: 20 }, (_, n) => makeKey({ ...WANTED, name: `k${n}` }, 0));
  const keys = made.map(({ key }) => key);
  for (const { secret, key } of made) {
    expect(keyOf(secret, keys)).toBe(key);
    expect(secret).toMatch(/^lck_[\w-]{43}$/);
    expect(writeKeys(keys)).not.toContain(secret.slice(4));
  }
  for (const other of ['', 'lck_', keys[0]?.secret_sha256 ?? '', `${made[0]?.secret}=`])
    expect(keyOf(other, keys)).toBeNull();
  expect(readKeys(JSON.parse(writeKeys(keys)))).toEqual(keys);
});

test('the key file is indented for people', () => {
  expect(writeKeys([])).toBe('{\n  "version": 1,\n  "keys": []\n}\n');
});

test('an unusable key file grants nothing, and is reported by its name', async () => {
  await using directory = temporaryDirectory();
  writeFileSync(keyFileIn(directory.path), '{}');
  const lines: unknown[] = [];
  const logger = { info: () => {}, error: (event: string, fields?: object) => void lines.push([event, fields]) };
  using ring = openKeyRing(directory.path, systemClock, logger);
  expect([ring.find('lck_x'), ring.isEmpty(), ring.hasNeverBeenRead()]).toEqual([null, false, true]);
  expect(lines).toEqual([['file.unusable', { file: 'keys', problem: expect.stringContaining('is damaged') }]]);
});

test('a key is valid through its last day, in UTC', () => {
  const expires_at = endOfDay('2027-12-31');
  expect(expires_at).toBe('2028-01-01T00:00:00.000Z');
  expect(isExpired({ expires_at }, Date.UTC(2027, 11, 31, 23, 59, 59, 999))).toBe(false);
  expect(isExpired({ expires_at }, Date.UTC(2028, 0, 1))).toBe(true);
  for (const day of ['2027-02-30', '2027-13-01', '31.12.2027', '2027-12-31T00:00:00Z', ''])
    expect(endOfDay(day)).toBeNull();
});

test.each([
  ['{}', 'is missing'],
  [{ version: 2, keys: [] }, 'version'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, scopes: ['Root,check'] }] }, 'scopes'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, scopes: [] }] }, 'scopes'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, expires_at: 'soon' }] }, 'expires at no time'],
  [{ version: 1, keys: [makeKey(WANTED, 0).key, makeKey(WANTED, 0).key] }, 'two keys named some'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, limit: -1 }] }, 'limit'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, owner: 'ann' }] }, 'owner'],
  [{ version: 1, keys: [], owner: 'ann' }, 'owner'],
])('of the key file %p, reports what is wrong', (file, problem) => {
  const json = typeof file === 'string' ? JSON.parse(file) : file;
  expect(readKeys(json)).toContain(problem);
});

test.each([
  ['bad name', {}],
  ['some', { scopes: [] }],
  ['some', { expires_at: 'soon' }],
])('a key %p with %p is never written', (name, invalid) => {
  const { key } = makeKey(WANTED, 0);
  expect(() => writeKeys([{ ...key, name, ...invalid }])).toThrow('could not be read again');
});

test('a scope of a later version grants nothing, and stays in the file', () => {
  const { key } = makeKey(WANTED, 0);
  const later = { version: 1, keys: [{ ...key, scopes: ['check', 'reports.read'] }] };
  const keys = readKeys(later);
  if (typeof keys === 'string') throw new TypeError(keys);
  expect(JSON.parse(writeKeys(keys))).toEqual(later);
  const [found = key] = keys;
  expect(bearerRefusal({ kind: 'key', key: found }, 'check')).toBeNull();
  expect(bearerRefusal({ kind: 'key', key: found }, 'admin')?.code).toBe('forbidden_scope');
});

test('a key is read only from a well-formed Bearer header', () => {
  const { secret, key } = makeKey(WANTED, 0);
  const keys = { find: (shown: string) => keyOf(shown, [key]) };
  const kindOf = (authorization: string) => bearerOf(new Headers({ authorization }), keys).kind;
  expect([`Bearer ${secret}`, `bearer  ${secret}`].map(kindOf)).toEqual(['key', 'key']);
  expect(['Bearer lck_x', `Bearer ${secret}x`].map(kindOf)).toEqual(['unknown', 'unknown']);
  expect(['Basic abc', 'Bearer', 'Bearer a b', secret, ''].map(kindOf)).toEqual(Array(5).fill('none'));
});
