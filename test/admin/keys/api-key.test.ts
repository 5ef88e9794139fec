import { expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  changeKeyFile,
  grants,
  isExpired,
  keyFileIn,
  keyOf,
  makeKey,
  readKeyFile,
  readKeys,
  readKeyText,
  SCOPES,
  writeKeys,
} from '#src/admin/keys/api-key.ts';
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
  [{ version: 0, keys: [] }, 'version'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, name: 'a b' }] }, 'name'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, name: 'x'.repeat(65) }] }, 'name'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, secret_sha256: 'F'.repeat(64) }] }, 'secret_sha256'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, secret_sha256: 'f'.repeat(63) }] }, 'secret_sha256'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, secret_sha256: 'f'.repeat(65) }] }, 'secret_sha256'],
  [{ version: 1, keys: [{ ...makeKey(WANTED, 0).key, limit: 1.5 }] }, 'limit'],
  [
    {
      version: 1,
      keys: ['one', 'two', 'one', 'two'].map((name) => ({ ...makeKey(WANTED, 0).key, name })),
    },
    'it has two keys named one',
  ],
  [
    {
      version: 1,
      keys: ['ok', 'one', 'two'].map((name) => ({
        ...makeKey(WANTED, 0).key,
        ...{ name, expires_at: name === 'ok' ? '2099-01-01T00:00:00Z' : 'soon' },
      })),
    },
    'the key one expires at no time',
  ],
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

test('a key file holds every key that it may', () => {
  const keys = [
    { ...WANTED, limit: 0 },
    { ...WANTED, limit: 999_999_999, expires_at: '2099-01-01T00:00:00Z' },
    { ...WANTED, scopes: [...SCOPES] },
  ].map((wanted, at) => makeKey({ ...wanted, name: `${'x'.repeat(63)}${at}` }, 1000).key);
  expect(readKeys(JSON.parse(writeKeys(keys)))).toEqual(keys);
  expect(keys[0]?.created_at).toBe('1970-01-01T00:00:01.000Z');
});

test('a damaged or busy key file is named as that of the keys', async () => {
  await using directory = temporaryDirectory();
  const path = keyFileIn(directory.path);
  expect(path).toBe(join(directory.path, 'keys.json'));
  expect([readKeyText(null, path), readKeyFile(directory.path)]).toEqual([[], []]);
  const unusable = `the keys in ${path} cannot be used: the file `;
  expect(() => readKeyText('{}', path)).toThrow(`${unusable}is damaged: `);
  try {
    readKeyText('{}', path);
  } catch (error) {
    expect(error).toMatchObject({ errorCode: 'file_damaged' });
  }
  mkdirSync(path);
  expect(() => readKeyFile(directory.path)).toThrow(unusable);
  rmSync(path, { recursive: true });
  writeFileSync(`${path}.new`, '');
  expect(() => changeKeyFile(directory.path, (keys) => keys)).toThrow('another process changes the keys; try again');
});

test('a key is found by its secret or its digest while it has not expired', async () => {
  await using directory = temporaryDirectory();
  const made = ['one', 'two', 'old'].map((name) =>
    makeKey({ ...WANTED, name, expires_at: name === 'old' ? '2020-01-01T00:00:00Z' : null }, 0),
  );
  changeKeyFile(directory.path, () => made.map(({ key }) => key));
  const lines: unknown[] = [];
  const note = (event: string, fields?: object) => void lines.push([event, fields]);
  using ring = openKeyRing(directory.path, systemClock, { info: note, error: note });
  const found = () =>
    made.map(({ secret, key }) => [ring.find(secret)?.name, ring.withDigest(key.secret_sha256)?.name]);
  const all = [
    ['one', 'one'],
    ['two', 'two'],
    [undefined, undefined],
  ];
  expect([found(), ring.isEmpty(), ring.hasNeverBeenRead()]).toEqual([all, false, false]);
  expect([ring.find('lck_x'), ring.withDigest('f'.repeat(64))]).toEqual([null, null]);
  // What cannot be read changes nothing.
  writeFileSync(keyFileIn(directory.path), '{');
  await ring.file.checkNow();
  expect([found(), lines]).toEqual([all, [['keys.kept', { problems: [expect.stringContaining('is damaged')] }]]]);
  rmSync(keyFileIn(directory.path));
  changeKeyFile(directory.path, () => made.slice(1).map(({ key }) => key));
  await ring.file.checkNow();
  expect([found(), lines.slice(1)]).toEqual([
    [[undefined, undefined], ...all.slice(1)],
    [['keys.reread', { keys: 2 }]],
  ]);
});

test('a scope grants itself, and admin all', () => {
  for (const scope of SCOPES) {
    expect(SCOPES.filter((one) => grants({ scopes: [scope] }, one))).toEqual(scope === 'admin' ? [...SCOPES] : [scope]);
    expect(grants({ scopes: ['', 'reports.read'] }, scope)).toBe(false);
  }
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
