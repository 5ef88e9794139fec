import { expect, test } from 'bun:test';
import { readSettingFile, readSettings } from '#src/core/base/settings/setting-reader.ts';
import { LIST_SOURCE_SETTINGS } from '#src/network/lists/settings.ts';

async function read(toml: string, flags: readonly string[] = []) {
  const file = await readSettingFile('lurecheck.toml', toml);
  const sources = { flags: flags.length > 0 ? { 'list-sources': flags } : {}, environment: {}, file };
  return readSettings(LIST_SOURCE_SETTINGS, sources).values.list_sources;
}

const HOUR_MS = 3_600_000;
const FEED = {
  name: 'feed',
  action: 'block',
  format: null,
  everyMs: null,
  from: { kind: 'https', url: 'https://a.example/f' },
};

test('a source has its options before its place, in any order', async () => {
  expect(await read('list_sources = ["feed=https://a.example/f"]')).toEqual([FEED] as never);
  expect(await read('', ['feed=hosts:6h:allow:https://a.example/f', 'two=csv:/srv/x'])).toEqual([
    { ...FEED, action: 'allow', format: 'hosts', everyMs: 6 * HOUR_MS },
    { ...FEED, name: 'two', format: 'csv', from: { kind: 'file', path: '/srv/x' } },
  ] as never);
});

test('a source may be a table of its own, beside others in an array', async () => {
  const toml = `list_sources = ["feed=https://a.example/f"]
[[list_source]]
name = "two"
url = "https://a.example/f?key=1"
format = "adblock"
action = "allow"
every = "2d"
[[list_source]]
name = "three"
url = "/srv/x"
`;
  expect(await read(toml)).toEqual([
    FEED,
    {
      ...{ name: 'two', action: 'allow', format: 'adblock', everyMs: 48 * HOUR_MS },
      from: { kind: 'https', url: 'https://a.example/f?key=1' },
    },
    { ...FEED, name: 'three', from: { kind: 'file', path: '/srv/x' } },
  ] as never);
  const { kind } = LIST_SOURCE_SETTINGS.list_sources;
  expect(kind.write(await read(toml))).toBe(
    'feed=https://a.example/f, two=allow:adblock:2880m:https://a.example/f?***, three=/srv/x',
  );
});

test.each([
  [
    'list_source = "feed=https://a.example/f"',
    'list_source in lurecheck.toml:1 must be tables, each below [[list_source]]',
  ],
  ['\n[[list_source]]\nnam = "x"', 'list_source in lurecheck.toml:2 has the unknown member nam; expected name, url, '],
  ['[[list_source]]\nname = "x"\nurl = 1', 'has a member that is not a string'],
  ['[[list_source]]\nname = "x"', '"x=", but must be a name and an https URL'],
  [
    '[[list_source]]\nname = "x"\nurl = "https://a.example/"\nformat = "excel"',
    '"x=excel:https://a.example/", but must',
  ],
  ['[[list_source]]\nname = "x"\nurl = "https://a.example/"\nevery = "90d"', '"x=90d:https://a.example/", but must'],
  ['[[list_source]]\nname = "x"\nurl = "/srv/x"\nevery = "1h"', '"x=1h:/srv/x", but must'],
  ['list_sources = ["x=http://a.example/"]', '"x=http://a.example/", but must'],
])('%p is refused', async (toml, problem) => {
  await expect(read(toml)).rejects.toThrow(problem);
});
