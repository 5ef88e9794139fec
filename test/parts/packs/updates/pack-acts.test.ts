import { expect, test } from 'bun:test';
import { createPublicKey } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packFolder, readPackState } from '#src/admin/active/pack-state.ts';
import { perform, withDraft } from '#src/admin/audit/act.ts';
import { SETTINGS } from '#src/app/config.ts';
import { fingerprintOf } from '#src/core/base/public-key.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { listsFolder } from '#src/network/lists/stored/list-state.ts';
import { INSTALL_PACK, REVOKE_PUBLISHER, TRUST_PUBLISHER } from '#src/parts/packs/updates/pack-acts.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { member, publisherKey, smallPack } from '#test/support/packs.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const BY = { key: 'desk' };

/** An installation that trusts a publisher, and a pack of it with a list. */
async function trusting(path: string) {
  const dataDir = join(path, 'data');
  const key = publisherKey();
  const publicKey = createPublicKey(key);
  const fingerprint = fingerprintOf(publicKey);
  const place = { ...ownPlace(dataDir), settings: () => defaultsOf(SETTINGS) };
  const signer = { fingerprint, key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') };
  await perform(TRUST_PUBLISHER, place, BY, { ...signer, name: 'Acme' });
  const members = [member('list', 'lists/block/acme.txt', 'evil.example\n')];
  const about = { expires: '2099-01-01T00:00:00.000Z' };
  const file = await smallPack(join(path, 'acme.pack'), { key, about, members });
  const files = () => [packFolder(dataDir), listsFolder(dataDir)].map((folder) => readdirSync(folder).length);
  return { dataDir, place, fingerprint, pack: { file, mayBeOlder: false }, files };
}

test('a key is trusted and revoked, with a line in the audit log for each', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, place, fingerprint } = await trusting(directory.path);
  expect(readPackState(dataDir).publishers).toMatchObject([{ name: 'Acme', fingerprint, revoked: null }]);
  await perform(REVOKE_PUBLISHER, place, BY, fingerprint);
  expect(readPackState(dataDir).publishers).toMatchObject([{ fingerprint, revoked: expect.any(String) }]);
  expect(auditLines(dataDir)).toEqual([
    { action: 'pack.trust', subject: fingerprint, detail: { name: 'Acme' } },
    { action: 'pack.revoke', subject: fingerprint, detail: {} },
  ]);
});

test('an installed pack leaves no draft of its lists, and one that is only prepared leaves nothing', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, place, pack, files } = await trusting(directory.path);
  await perform(INSTALL_PACK, place, BY, pack);
  const before = files();
  // Of packs: the state, the pack, its lists and the latest time; of lists: the state and one version.
  expect(before).toEqual([4, 2]);
  expect(await withDraft(INSTALL_PACK, place, pack, async ({ isActive }) => isActive)).toBe(true);
  expect(files()).toEqual(before);
  expect(auditLines(dataDir).map(({ action }) => action)).toEqual(['pack.trust', 'pack.install']);
});
