import { expect, test } from 'bun:test';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { auditLines } from '#test/support/audit-lines.ts';
import { listsHere } from './lists-here.ts';

const NEW_YEAR = Date.UTC(2026, 0, 1);

test('shows the effect on both logs, and changes nothing until that is confirmed', async () => {
  await using ours = await listsHere([
    { url: 'https://www.evil.example/login', atMs: NEW_YEAR },
    { url: 'https://good.example/' },
    { url: 'https://evil.example/private', visibility: 'private' },
    { url: 'https://good.example/private', visibility: 'private' },
  ]);
  const feed = ours.file('feed.txt', 'evil.example # seen\ngithub.io\nhttps://docs.google.com/forms/x\n');
  const effect =
    'read as plain\n' +
    'feed: 2 entries (2 new), 1 quarantined, not applied\n' +
    '  line 2: github.io is a public suffix, shared by many sites\n' +
    'Of the latest 2 public checks, 1 would have another decision\n' +
    '  allow → block: 1\n' +
    '  allow → block  2026-01-01T00:00:00.000Z  https://www.evil.example/login\n' +
    'Of the latest 2 private checks, 1 would have another decision\n' +
    '  allow → block: 1\n' +
    'Of 10000 popular sites, none would have another decision\n';
  expect(await ours.piped('n\n', 'import', 'feed', feed)).toEqual({
    exitCode: 1,
    stdout: effect,
    stderr: 'Activate feed? [y/N] lurecheck: cancelled, nothing was changed\n',
  });
  expect((await ours.lists('show')).stdout).toBe('no lists\n');
  expect(readdirSync(join(ours.dataDir, 'lists'))).toEqual([]);
  const confirmed = await ours.piped('y\n', 'import', 'feed', feed);
  expect([confirmed.exitCode, confirmed.stdout]).toEqual([0, effect]);
  expect(confirmed.stderr).toEndWith(
    `lurecheck: feed is imported: no service is running on ${ours.dataDir}; it takes effect at the next start\n`,
  );
  expect((await ours.lists('show')).stdout).toStartWith('feed\tblock\tfinal\t2 entries, 1 not applied\toperator\t');
  expect(auditLines(ours.dataDir)).toMatchObject([
    { action: 'lists.import', subject: 'feed', detail: { source: 'feed.txt', entries: 2 } },
  ]);
});

test('shows ten changed checks and the number of the others, of as many as --limit says', async () => {
  const history = Array.from({ length: 12 }, (_, at) => ({
    ...{ url: `https://evil.example/${at}`, atMs: NEW_YEAR + at },
    visibility: at === 0 ? ('private' as const) : ('public' as const),
  }));
  await using ours = await listsHere(history);
  const imported = (name: string, ...args: string[]) =>
    ours.piped('evil.example\n', 'import', name, '-', '--yes', ...args);
  const some = (await imported('feed', '--limit', '10')).stdout;
  expect(some).toContain('Of the latest 10 public checks, 10 would');
  expect(some).not.toContain(' more\n');
  await ours.lists('rollback');
  const all = (await imported('feed')).stdout;
  expect(all.match(/^ {2}allow → block {2}\S+ {2}\S+$/gm)).toHaveLength(10);
  expect(all).toContain('https://evil.example/2\n  and 1 more\nOf the latest 1 private check, 1 would');
  for (const limit of ['0', '01', '1.5', 'x1', '1000000000'])
    expect((await imported('other', '--limit', limit)).stderr).toStartWith(
      `lurecheck: --limit takes a whole number from 1, not "${limit}"`,
    );
});

test('skips lines that were not understood only if that is wanted, and reports entries on popular sites', async () => {
  await using ours = await listsHere();
  const hosts = ['*.evil.example', 'https://docs.google.com/forms/x', 'login.microsoftonline.com'];
  const pages = Array.from({ length: 11 }, (_, at) => `https://www.wikipedia.org/${at}`);
  const feed = ours.file('feed.txt', [...hosts, ...pages, 'not a host', 'ftp://c.example/'].join('\n'));
  expect(await ours.lists('import', 'feed', feed, '--yes')).toMatchObject({
    ...{ exitCode: 1, stdout: '' },
    stderr: expect.stringContaining('nothing was changed'),
  });
  const file = openSync(feed, 'r');
  const { exitCode, stdout } = await ours.lists('import', 'feed', `/proc/self/fd/${file}`, '--yes', '--skip-invalid');
  closeSync(file);
  expect(exitCode).toBe(0);
  // The number of a descriptor means nothing later.
  expect((await ours.lists('show')).stdout).toEndWith('Z\tstream\n');
  expect(stdout).toMatch(
    /^read as plain; 2 lines were not understood:\n {2}line 15: "not a host" contains white space.*\n {2}line 16: "ftp:\/\/c\.example\/" .*\nfeed: 14 entries \(14 new\)\n/,
  );
  expect(stdout).toContain(
    'Of 10000 popular sites, none would have another decision\n' +
      'Review the entries on popular sites: 12\n' +
      '  line 3: login.microsoftonline.com (microsoftonline.com)\n' +
      '  line 4: http://www.wikipedia.org/0 (wikipedia.org)\n',
  );
  expect(stdout).toEndWith('  line 12: http://www.wikipedia.org/8 (wikipedia.org)\n  and 2 more\n');
});

test('never empties a list unless --allow-empty says so', async () => {
  await using ours = await listsHere();
  await ours.piped('a.example\nb.example\n', 'add', 'feed', '-');
  const plain = await ours.piped('0.0.0.0 a.example\n', 'import', 'feed', '-', '--yes', '--input', 'plain');
  expect([plain.exitCode, plain.stderr]).toEqual([1, expect.stringContaining('\nread as plain; name the format')]);
  for (const [text, reason] of [
    ['com\n', 'line 1: com is a public suffix, shared by many sites\nread as plain'],
    ['@@||a.example^\n', 'has no entry that can be applied'],
    ['a.example##.ad\n', 'line 1: "a.example##.ad" is about parts of a page\nread as adblock'],
    [
      '# nothing\n',
      'has no entry; nothing was changed, because it would empty the list; --allow-empty, in the API allow_empty, permits that\n',
    ],
  ] as const) {
    const refused = await ours.piped(text, 'import', 'feed', '-', '--yes', '-q');
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain(reason);
  }
  const emptied = await ours.piped('com\n', 'import', 'feed', '-', '--yes', '--allow-empty');
  expect([emptied.exitCode, emptied.stdout]).toEqual([
    0,
    expect.stringContaining('feed: 0 entries (0 new, 2 removed), 1 quarantined, not applied\n'),
  ]);
});

const INVALID = 'has invalid lines; nothing was changed:\n';
test.each([
  ['a line that is none', 'evil.example\nhxxp://x.example/\n', `${INVALID}line 2: "hxxp://x.example/" is defanged`],
  ['a NUL', 'evil.example\nb\0.example\n', `${INVALID}line 2: contains a NUL`],
  ['another encoding', Buffer.from('evil.example\nb\xfccher.example\n', 'latin1'), `${INVALID}line 2: is not UTF-8`],
  ['UTF-16', Buffer.from('\ufeffevil.example\n', 'utf16le'), 'is UTF-16: save it as UTF-8; nothing was changed'],
  ['a line of a megabyte', `evil.example\n${'x'.repeat(1_000_000)}\n`, `${INVALID}line 2: is longer than 64 KiB`],
  ['nothing', '# nothing\n', 'has no entry; nothing was changed'],
  ['escapes of a terminal', 'evil.example\n\u001b[2Jx y\n', 'line 2: "\\u001b[2Jx y" contains white space'],
])('refuses a file with %s, and reports the reason', async (_, text, reason) => {
  await using ours = await listsHere();
  await ours.lists('add', 'feed', 'a.example');
  const state = () => readFileSync(join(ours.dataDir, 'lists', 'in-force.json'), 'utf8');
  const before = state();
  const refused = await ours.lists('import', 'feed', ours.file('bad.txt', text), '--yes');
  expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toStartWith('lurecheck: bad.txt ');
  expect(refused.stderr).toContain(reason);
  expect(state()).toBe(before);
});

test('refuses what is no file, and a file of more than 512 MiB before it is read', async () => {
  await using ours = await listsHere();
  const folder = join(ours.dataDir, 'folder');
  mkdirSync(folder);
  expect(await ours.lists('import', 'feed', folder, '--yes')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`${folder} is a directory; expected a file`),
  });
  const large = ours.file('large.txt', 'evil.example\n');
  truncateSync(large, 512 * 1024 * 1024 + 1);
  expect(await ours.lists('import', 'feed', large, '--yes')).toMatchObject({
    exitCode: 1,
    stderr: 'lurecheck: large.txt is larger than 512 MiB; nothing was changed\n',
  });
  expect((await ours.lists('import', 'feed', '-')).stderr).toContain(
    'confirmation required, but stdin holds the list: pass --yes',
  );
});
