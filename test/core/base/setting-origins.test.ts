import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { setting } from '#src/core/base/settings/setting.ts';
import { orNone, plainText, secret, wholeNumber } from '#src/core/base/settings/setting-kind.ts';
import { readSettingFile, readSettings, type SettingSources } from '#src/core/base/settings/setting-reader.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const token = plainText('a token of letters', (text) => (/^[a-z]+$/.test(text) ? text : null));
const TABLE = {
  first: setting(['serve'], wholeNumber(0), 1, 'One.'),
  second: setting(['serve'], wholeNumber(0), 2, 'Two.'),
  third: setting(['serve'], wholeNumber(0), 3, 'Three.'),
  fourth: setting(['serve'], wholeNumber(0), 4, 'Four.'),
  token: setting(['serve'], orNone(secret(token)), null, 'A token.'),
};
const NOTHING: SettingSources = { flags: {}, environment: {}, file: null };
const read = (sources: Partial<SettingSources>) => readSettings(TABLE, { ...NOTHING, ...sources });

function problemsOf(sources: Partial<SettingSources>): readonly string[] {
  try {
    read(sources);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('the origin of a value', () => {
  test('is reported: default, line of the file, variable or flag, according to their precedence', async () => {
    const file = await readSettingFile('x.toml', '# numbers\nsecond = 12\nthird = 13\n\nfourth = 14\n');
    const { values, origins } = read({
      file,
      environment: { LURECHECK_THIRD: '23', LURECHECK_FOURTH: '24' },
      flags: { fourth: ['34'] },
    });
    expect([values.first, values.second, values.third, values.fourth]).toEqual([1, 12, 23, 34]);
    expect(origins).toEqual({
      first: { source: 'default' },
      second: { source: 'file', path: 'x.toml', line: 2 },
      third: { source: 'variable', name: 'LURECHECK_THIRD' },
      fourth: { source: 'flag', name: '--fourth' },
      token: { source: 'default' },
    });
  });

  test('is the line of its key, whatever texts before it look like keys', async () => {
    const { entries } = await readSettingFile('x.toml', 'a = """\nb = 1\n"""\n"b" = [\n 1,\n 2]\n[c]\nd = 1\n');
    expect(entries.map(({ key, line }) => [key, line])).toEqual([
      ['a', 1],
      ['b', 4],
      ['c', 7],
    ]);
  });
});

test.each([
  ['first 1', '1:7'],
  ['first = 1\nsecond = [1,\nthird = 3\n', '3:1'],
  ['first = 1\nfirst = 2\n', '2:1'],
  ['first = "1\n', '1:11'],
])('invalid TOML is reported with line and column: %j', async (text, place) => {
  const file = await readSettingFile('x.toml', text);
  expect(problemsOf({ file })).toEqual([
    expect.stringMatching(new RegExp(`^x\\.toml:${place} is not valid TOML: \\w`)),
  ]);
});

describe('a secret', () => {
  test('may be in a separate file, whose final line break is ignored', async () => {
    await using directory = temporaryDirectory();
    const path = join(directory.path, 'token');
    await Bun.write(path, 'swordfish\n');
    for (const source of [
      { flags: { token: [`file:${path}`] } },
      { environment: { LURECHECK_TOKEN: `file:${path}` } },
      { file: await readSettingFile('x.toml', `token = "file:${path}"`) },
    ]) {
      expect(read(source).values.token).toBe('swordfish');
    }
  });

  test('is in no message, and its file is named', async () => {
    await using directory = temporaryDirectory();
    const path = join(directory.path, 'token');
    await Bun.write(path, 'SWORD-FISH');
    const due = 'a token of letters, or file:/path of a file that contains it';
    expect(problemsOf({ flags: { token: ['SWORD-FISH'] } })).toEqual([`--token must be ${due}`]);
    expect(problemsOf({ flags: { token: [`file:${path}`] } })).toEqual([
      `--token is "file:${path}", which must hold ${due}`,
    ]);
    expect(problemsOf({ flags: { token: [`file:${path}.none`] } })).toEqual([
      `--token is "file:${path}.none", which does not exist`,
    ]);
  });

  test('is the only kind of setting whose file is opened', () => {
    expect(problemsOf({ flags: { first: ['file:/etc/hostname'] } })).toEqual([
      '--first is "file:/etc/hostname", but must be a whole number from 0',
    ]);
  });
});
