import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { type ApiKey, changeKeyFile, keyFileIn } from '#src/admin/keys/api-key.ts';
import { openKeyRing } from '#src/admin/keys/key-ring.ts';
import { createKeyManager, KeyError, type WantedKey } from '#src/admin/keys/manage-keys.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const BY = { key: 'desk' };
const SOC: WantedKey = { name: 'soc', scopes: ['check'], limit: null, expires_at: null };

/** The keys of an installation. `others` changes them after a change was prepared, before it is made. */
function managed(dataDir: string, others: (keys: readonly ApiKey[]) => readonly ApiKey[] = (keys) => keys) {
  const change = (make: (keys: readonly ApiKey[]) => readonly ApiKey[]) =>
    changeKeyFile(dataDir, (keys) => make(others(keys)));
  return createKeyManager({ dataDir, change, clock: systemClock });
}

test('each change of a key is recorded with what it changes, and never with a secret', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const keys = managed(path);
  const { secret, key } = await keys.create(BY, SOC);
  const narrowed = await keys.update(BY, key, { limit: 5, scopes: ['stats'] });
  expect(keys.list()).toEqual([{ ...key, limit: 5, scopes: ['stats'] }]);
  await keys.revoke(BY, 'soc', narrowed);
  expect(keys.list()).toEqual([]);
  const lines = auditLines(path);
  expect(lines).toEqual([
    { action: 'key.create', subject: 'soc', detail: { scopes: ['check'], limit: null, expires_at: null } },
    { action: 'key.update', subject: 'soc', detail: { limit: 5, scopes: ['stats'] } },
    { action: 'key.revoke', subject: 'soc', detail: {} },
  ]);
  for (const hidden of [secret, key.secret_sha256]) expect(JSON.stringify(lines)).not.toContain(hidden);
});

test('a key of a name that is taken is refused, also if the name was taken meanwhile', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const { key } = await managed(path).create(BY, SOC);
  await expect(managed(path).create(BY, SOC)).rejects.toMatchObject({ errorCode: 'key_exists' });
  const raced = managed(path, (keys) => [...keys, { ...key, name: 'desk', secret_sha256: 'f'.repeat(64) }]);
  await expect(raced.create(BY, { ...SOC, name: 'desk' })).rejects.toMatchObject({ errorCode: 'key_exists' });
  expect(managed(path).list()).toEqual([key]);
  expect(auditLines(path).map(({ action }) => action)).toEqual(['key.create', 'key.create', 'key.create.failed']);
});

test('a key that changed since its client read it is neither changed nor revoked', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const { key } = await managed(path).create(BY, SOC);
  const raced = managed(path, (keys) => keys.map((one) => ({ ...one, limit: 9 })));
  await expect(raced.update(BY, key, { limit: 5 })).rejects.toMatchObject({ errorCode: 'key_changed' });
  await expect(raced.revoke(BY, 'soc', key)).rejects.toMatchObject({ errorCode: 'key_changed' });
  expect(managed(path).list()).toEqual([key]);
  await expect(managed(path).revoke(BY, 'other')).rejects.toMatchObject({ errorCode: 'key_not_found' });
  await raced.revoke(BY, 'soc');
  expect(managed(path).list()).toEqual([]);
});

test('a change of one key leaves the others as they are', async () => {
  await using directory = temporaryDirectory();
  const keys = managed(directory.path);
  const [one, two, three] = [
    await keys.create(BY, SOC),
    await keys.create(BY, { ...SOC, name: 'desk' }),
    await keys.create(BY, { ...SOC, name: 'mail' }),
  ];
  expect(keys.list()).toEqual([one.key, two.key, three.key]);
  const changed = await keys.update(BY, two.key, { limit: 5 });
  expect([changed, keys.list()]).toEqual([{ ...two.key, limit: 5 }, [one.key, { ...two.key, limit: 5 }, three.key]]);
  await keys.revoke(BY, 'desk');
  expect(keys.list()).toEqual([one.key, three.key]);
});

test.each([
  ['exists', 'key already exists: soc', 'There is a key named soc already. Revoke it first, or choose another name.'],
  ['not_found', 'key not found: soc', 'There is no key of this name.'],
  [
    'changed',
    'key changed meanwhile: soc',
    'Somebody else changed this meanwhile. Read it again, then repeat the change.',
  ],
] as const)('the error %p has a text for commands and one for clients', (code, message, clientText) => {
  const error = new KeyError(code, 'soc');
  expect({ ...error, message: error.message }).toMatchObject({
    ...{ code, errorCode: `key_${code}`, keyName: 'soc', message, clientText },
  });
});

test('keys that cannot be read are none, and do not count as no keys', async () => {
  await using directory = temporaryDirectory();
  const logger = createLogger('error', () => {});
  const open = () => openKeyRing(directory.path, systemClock, logger);
  using none = open();
  expect([none.isEmpty(), none.hasNeverBeenRead()]).toEqual([true, false]);
  writeFileSync(keyFileIn(directory.path), '{');
  using damaged = open();
  expect([damaged.isEmpty(), damaged.hasNeverBeenRead(), damaged.find('lck_any')]).toEqual([false, true, null]);
});
