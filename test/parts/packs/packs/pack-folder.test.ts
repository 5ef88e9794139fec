import { describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { readPackFolder } from '#src/parts/packs/packs/write-pack.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ABOUT = { name: 'acme', version: 1, expires: '2027-02-28', publisher: 'Acme' };

/** Reads a folder whose `pack.json` says so, after `arrange` put more into it. */
async function read(about: object, arrange: (folder: string) => void = () => {}) {
  await using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'pack.json'), JSON.stringify({ ...ABOUT, ...about }));
  arrange(directory.path);
  return await readPackFolder(directory.path, 0);
}

describe('the source folder of a pack', () => {
  test('accepts an expiry date and the largest exact integer as version', async () => {
    const { about } = await read({ version: Number.MAX_SAFE_INTEGER });
    expect(about).toMatchObject({ version: Number.MAX_SAFE_INTEGER, expires: '2027-02-28T23:59:59.999Z' });
  });

  test.each([
    ['an invalid date', { expires: '2027-02-30' }],
    ['a time on such a day', { expires: '2027-02-30T10:00:00Z' }],
    ['a version beyond what numbers count', { version: 2 ** 53 }],
    ['a version below one', { version: 0 }],
    ['a member that it does not know', { versions: 1 }],
    ['something before its day', { expires: 'x2027-02-28' }],
    ['something behind its day', { expires: '2027-02-28x' }],
    ['a time without its zone', { expires: '2027-02-28T10:00:00' }],
    ['a time in another zone', { expires: '2027-02-28T10:00:00+02:00' }],
    ['a time without seconds', { expires: '2027-02-28T10:00Z' }],
  ])('is refused for %s', async (_, about) => {
    await expect(read(about)).rejects.toThrow(PackError);
  });

  test('contributes the files of all its folders, except those whose names begin with a dot', async () => {
    const { about, members } = await read({ expires: '2027-02-28T10:00:00Z', needs: '0.2.0' }, (folder) => {
      mkdirSync(join(folder, 'lists/block'), { recursive: true });
      writeFileSync(join(folder, 'lists/block/feed.txt'), 'evil.example');
      writeFileSync(join(folder, 'lists/.draft'), 'x');
      writeFileSync(join(folder, 'brands.json'), '{}');
      mkdirSync(join(folder, '.git'));
      writeFileSync(join(folder, '.git/config'), 'x');
    });
    expect(about).toEqual({
      ...{ name: 'acme', version: 1, publisher: 'Acme', needs: '0.2.0' },
      ...{ created: '1970-01-01T00:00:00.000Z', expires: '2027-02-28T10:00:00.000Z' },
    });
    expect(members.map(({ kind, name, content }) => [kind, name, Buffer.from(content).toString()])).toEqual([
      ['brands', 'brands.json', '{}'],
      ['list', 'lists/block/feed.txt', 'evil.example'],
    ]);
  });

  test('is refused if a file does not belong in a pack, or if pack.json is missing', async () => {
    const other = read({}, (folder) => writeFileSync(join(folder, 'notes.txt'), 'x'));
    await expect(other).rejects.toThrow('notes.txt does not belong in a pack');
    const bare = read({}, (folder) => rmSync(join(folder, 'pack.json')));
    await expect(bare).rejects.toThrow('has no pack.json');
    await expect(readPackFolder('/nowhere', 0)).rejects.toThrow('/nowhere does not exist');
  });

  test('is refused for a symbolic link, whatever its target', async () => {
    for (const target of ['/etc/passwd', 'pack.json', '/nowhere', '/tmp']) {
      const linked = read({}, (folder) => symlinkSync(target, join(folder, 'brands.json')));
      await expect(linked).rejects.toThrow('brands.json is not a regular file: copy its target');
    }
  });
});
