import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changePackState, withPublisher } from '#src/admin/active/pack-state.ts';
import { changeKeyFile } from '#src/admin/keys/api-key.ts';
import { writeListState } from '#src/network/lists/stored/list-state.ts';
import { trustedContentIn } from '#src/parts/backup/archive/restore-backup.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const LIST = {
  name: 'ours',
  action: 'allow',
  weight: null,
  origin: 'operator',
  source: null,
  changed_at: '2026-01-31T00:00:00.000Z',
  file: 'ours-1.list',
  sha256: '0'.repeat(64),
  entries: 1,
  text_bytes: 12,
  quarantined: 0,
} as const;

test('lists the keys, publishers, lists, brands and model that a folder makes the installation trust', async () => {
  await using directory = temporaryDirectory();
  const folder = directory.path;
  expect(await trustedContentIn(folder)).toEqual([
    'keys: none',
    'publishers: none',
    'lists: none',
    'brands: none',
    'model: none',
  ]);
  changeKeyFile(folder, () =>
    Array.from({ length: 23 }, (_, n) => ({
      name: `key-${n}`,
      secret_sha256: '0'.repeat(64),
      scopes: ['check' as const],
      limit: null,
      created_at: '2026-01-31T00:00:00.000Z',
      expires_at: null,
    })),
  );
  mkdirSync(join(folder, 'packs'));
  changePackState(folder, (state) =>
    withPublisher(state, { name: 'acme', fingerprint: 'abcd', key: 'x', since: '2026-01-31T00:00:00.000Z' }),
  );
  mkdirSync(join(folder, 'lists'));
  await writeListState(folder, { revision: 1, lists: [LIST], before: [], history: [] });
  writeFileSync(join(folder, 'brands.json'), 'no JSON');
  expect(await trustedContentIn(folder)).toEqual([
    expect.stringMatching(/^keys: key-0 \(check\), .*key-19 \(check\), 3 more$/),
    'publishers: acme abcd',
    'lists: ours (allow, 1)',
    'brands: an unreadable file',
    'model: none',
  ]);
});
