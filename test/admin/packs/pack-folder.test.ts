import { describe, expect, test } from 'bun:test';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackError } from '#src/admin/packs/pack-error.ts';
import { readPackFolder } from '#src/admin/packs/pack-folder.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ABOUT = { name: 'acme', version: 1, expires: '2027-02-28', publisher: 'Acme' };

/** Reads a folder whose `pack.json` says so, after `arrange` put more into it. */
async function read(about: object, arrange: (folder: string) => void = () => {}) {
  await using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'pack.json'), JSON.stringify({ ...ABOUT, ...about }));
  arrange(directory.path);
  return await readPackFolder(directory.path, 0);
}

describe('the folder of a pack that is to be built', () => {
  test('is read with a day that there is, and a version that counts', async () => {
    const { about } = await read({ version: Number.MAX_SAFE_INTEGER });
    expect(about).toMatchObject({ version: Number.MAX_SAFE_INTEGER, expires: '2027-02-28T23:59:59.999Z' });
  });

  test.each([
    ['a day that there is not', { expires: '2027-02-30' }],
    ['a time on such a day', { expires: '2027-02-30T10:00:00Z' }],
    ['a version beyond what numbers count', { version: 2 ** 53 }],
    ['a version below one', { version: 0 }],
  ])('is refused for %s', async (_, about) => {
    expect(read(about)).rejects.toThrow(PackError);
  });

  test('is refused for a symbolic link, wherever that leads', async () => {
    for (const target of ['/etc/passwd', 'pack.json', '/nowhere', '/tmp']) {
      const linked = read({}, (folder) => symlinkSync(target, join(folder, 'brands.json')));
      expect(linked).rejects.toThrow('brands.json is not a regular file: copy what it leads to');
    }
  });
});
