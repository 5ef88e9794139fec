import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { onTerminal } from '#test/support/terminal.ts';

async function box(history: readonly string[] = []) {
  const directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  mkdirSync(dataDir);
  const file = (name: string, text: string | Uint8Array) => {
    const path = join(directory.path, name);
    writeFileSync(path, text);
    return path;
  };
  for (const visibility of history.length > 0 ? ['public', 'private'] : []) {
    const args = ['check', '-', '--network', 'none', '--record', visibility, '--data-dir', dataDir];
    await lurecheck(args, { stdin: history.join('\n') });
  }
  return {
    dataDir,
    file,
    lists: (...args: string[]) => lurecheck(['lists', ...args, '--data-dir', dataDir]),
    piped: (stdin: string, ...args: string[]) => lurecheck(['lists', ...args, '--data-dir', dataDir], { stdin }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

describe('lurecheck lists import', () => {
  test('shows the effect and asks on a terminal, and changes nothing without a terminal', async () => {
    await using ours = await box(['https://www.evil.example/login', 'https://good.example/']);
    const feed = ours.file('feed.txt', 'evil.example # seen\ngithub.io\nhttps://docs.google.com/forms/x\n');
    const alone = await ours.lists('import', 'feed', feed);
    expect(alone.exitCode).toBe(2);
    expect(alone.stderr).toContain('stdin is not a terminal: pass --yes');
    expect(alone.stdout).toMatch(
      /^read as plain\nfeed: 2 entries \(2 new\), 1 quarantined, not applied\n {2}line 2: github\.io is a public suffix, shared by many sites\nOf the latest 2 public checks, 1 would have another decision\n {2}allow → block: 1\n {2}allow → block {2}\S+ {2}https:\/\/www\.evil\.example\/login\nOf the latest 2 private checks, 1 would have another decision\n {2}allow → block: 1\nOf 10000 popular sites, none would have another decision\n$/,
    );
    expect((await ours.lists('show')).stdout).toBe('no lists\n');
    expect(readdirSync(join(ours.dataDir, 'lists'))).toEqual([]);
    for (const [answer, exitCode, shown] of [
      ['n', 1, 'no lists\n'],
      ['y', 0, 'feed\tblock\tfinal\t2 entries, 1 not applied\toperator\t'],
    ] as const) {
      using terminal = await onTerminal(['lists', 'import', 'feed', feed, '--data-dir', ours.dataDir]);
      await terminal.until('Activate feed? [y/N] ');
      terminal.type(`${answer}\r`);
      expect(await terminal.exited).toBe(exitCode);
      expect((await ours.lists('show')).stdout).toStartWith(shown);
    }
  });

  test('reports the lines that it skips as unsupported', async () => {
    await using ours = await box();
    const rules = [
      '||evil.example^',
      '##.banner',
      ...Array.from({ length: 12 }, (_, at) => `||ads${at}.example^$script`),
    ];
    const filters = ours.file('filters.txt', `${rules.join('\n')}\n`);
    const { exitCode, stdout } = await ours.lists('import', 'filters', filters, '--yes', '--input', 'adblock');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('filters: 1 entry (1 new), 13 skipped as unsupported\n  line 2: ');
    expect(stdout).toMatch(/ {2}line 11: .*\n {2}and 3 more\n/);
  });

  test('reports entries on popular sites, except for third-party content there', async () => {
    await using ours = await box();
    const lines = [
      'evil.example',
      'https://docs.google.com/forms/x',
      'login.microsoftonline.com',
      'https://www.wikipedia.org/a',
    ];
    const { stdout } = await ours.piped(lines.join('\n'), 'import', 'feed', '-', '--yes');
    expect(stdout).toEndWith(
      'Of 10000 popular sites, none would have another decision\nReview the entries on popular sites: 2\n  line 3: login.microsoftonline.com (microsoftonline.com)\n  line 4: http://www.wikipedia.org/a (wikipedia.org)\n',
    );
  });

  test('applies the exceptions of a filter list to that list only', async () => {
    await using ours = await box();
    const filters = ours.file('filters.txt', '||evil.example^\n@@||good.evil.example^\n@@||google.com^\n');
    await ours.lists('import', 'filters', filters, '--yes', '--input', 'adblock');
    const said = async (url: string) => (await ours.lists('test', url)).stdout;
    expect(await said('https://www.evil.example/')).toContain('lists.kept_blocked');
    expect(await said('https://good.evil.example/')).toBe(
      'exception\tfilters, line 2, good.evil.example excludes it from that list\n',
    );
    await ours.lists('add', 'ours', 'evil.example');
    expect(await said('https://good.evil.example/')).toContain('lists.kept_blocked');
  });

  const NOTHING_CHANGED = 'has invalid lines; nothing was changed:\n';
  test.each([
    [
      'a line that is none',
      'evil.example\nhxxp://evil.example/\n',
      `${NOTHING_CHANGED}line 2: "hxxp://evil.example/" is defanged`,
    ],
    ['a NUL', 'evil.example\nb\0.example\n', `${NOTHING_CHANGED}line 2: contains a NUL`],
    [
      'another encoding in the middle',
      Buffer.from('evil.example\nb\xfccher.example\n', 'latin1'),
      `${NOTHING_CHANGED}line 2: is not UTF-8`,
    ],
    ['UTF-16', Buffer.from('\ufeffevil.example\n', 'utf16le'), 'is UTF-16: save it as UTF-8; nothing was changed'],
    [
      'a line of a megabyte',
      `evil.example\n${'x'.repeat(1_000_000)}\n`,
      `${NOTHING_CHANGED}line 2: is longer than 64 KiB`,
    ],
    ['nothing', '# nothing\n', 'has no entry; nothing was changed'],
    ['escapes of a terminal', 'evil.example\n\u001b[2Jx y\n', 'line 2: "\\u001b[2Jx y" contains white space'],
  ])('refuses a file with %s, and reports the reason', async (_, text, said) => {
    await using ours = await box();
    await ours.lists('add', 'feed', 'a.example');
    const before = readFileSync(join(ours.dataDir, 'lists', 'in-force.json'), 'utf8');
    const refused = await ours.lists('import', 'feed', ours.file('bad.txt', text), '--yes');
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain(said);
    expect(refused.stderr).toStartWith('lurecheck: bad.txt ');
    expect(readFileSync(join(ours.dataDir, 'lists', 'in-force.json'), 'utf8')).toBe(before);
  });

  test('refuses a file of 1 GiB before it reads the file', async () => {
    await using ours = await box();
    const large = ours.file('large.txt', 'evil.example\n');
    truncateSync(large, 2 ** 30);
    expect((await ours.lists('import', 'feed', ours.dataDir, '--yes')).stderr).toContain(
      'is a directory; expected a file',
    );
    const refused = await ours.lists('import', 'feed', large, '--yes');
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: 'lurecheck: large.txt is larger than 512 MiB; nothing was changed\n',
    });
  });

  test('imports all spellings of an IDN as one entry', async () => {
    await using ours = await box();
    const spellings = [
      'bücher.example',
      'BÜCHER.example',
      'xn--bcher-kva.example',
      'bu\u0308cher.example',
      'bücher。example.',
    ];
    const { stdout } = await ours.piped(spellings.join('\n'), 'import', 'feed', '-', '--yes');
    expect(stdout).toStartWith('read as plain\nfeed: 1 entry (1 new), 4 duplicates\n');
    expect((await ours.lists('show', 'feed')).stdout).toStartWith('xn--bcher-kva.example\tline 1\t');
  });
});

describe('lurecheck lists', () => {
  test('adds, tests, removes and rolls back entries, and records each change', async () => {
    await using ours = await box();
    const feed = ours.file('feed.txt', 'good.example\nevil.example\n');
    await ours.lists('import', 'feed', feed, '--yes', '--weight', '2.5');
    const added = await ours.lists('add', 'ours', 'good.example', '--action', 'allow', '--comment', 'a partner');
    expect([added.exitCode, added.stdout]).toEqual([0, 'ours: 1 entry (1 new)\n']);
    const day = new Date().toISOString().slice(0, 10);
    expect((await ours.lists('test', 'www.good.example/x')).stdout).toBe(
      `lists.kept_allowed\tThe URL has been on the allow list ours since ${day}: good.example (line 1).\n` +
        `lists.suspected\tThe list feed has spoken against the URL since ${day}: good.example (line 1).\n`,
    );
    expect((await ours.lists('test', 'https://other.example')).stdout).toBe('no list matches\n');
    const check = await lurecheck(['check', 'http://good.example', '--network', 'none', '--data-dir', ours.dataDir]);
    expect(check.stdout).toContain('on the allow list ours since');
    expect(await ours.lists('add', 'ours', 'co.uk')).toMatchObject({
      exitCode: 1,
      stderr: 'lurecheck: ours: co.uk is quarantined, not applied\n',
      stdout:
        'ours: 1 entry (0 new), 1 quarantined, not applied\n  line 1: co.uk is a public suffix, shared by many sites\n',
    });
    expect((await ours.lists('test', 'https://shop.co.uk/')).stdout).toBe(
      'not applied\tours, line 1, co.uk is a public suffix, shared by many sites\n',
    );
    expect((await ours.lists('remove', 'feed', 'evil.example')).exitCode).toBe(0);
    expect((await ours.lists('remove', 'feed', 'evil.example')).stderr).toContain(
      'evil.example is not an entry of the list feed',
    );
    expect((await ours.lists('rollback', 'feed')).stdout).toBe('feed: 2 entries (0 new)\n');
    expect((await ours.lists('rollback')).exitCode).toBe(0);
    const shown = JSON.parse((await ours.lists('show', '--format', 'json')).stdout);
    expect(shown).toMatchObject([
      { name: 'feed', action: 'block', weight: 2.5, entries: 2, quarantined: 0, source: 'feed.txt' },
      { name: 'ours', action: 'allow', weight: null, entries: 1, quarantined: 0, source: null },
    ]);
    expect((await ours.lists('show', 'ours')).stdout).toBe(`good.example\tline 1\tsince ${day}\ta partner\n`);
    const history = (await ours.lists('history')).stdout
      .split('\n')
      .map((line) => line.split('\t').slice(1, 4).join(' '));
    expect(history).toEqual([
      ...['operator rollback all', 'operator rollback feed', 'operator remove feed', 'operator add ours'],
      ...['operator add ours', 'operator import feed', ''],
    ]);
  });

  test.each([
    [[], 'expected lists import, lists add'],
    [['explode'], 'not "explode"'],
    [['import', 'feed'], 'expected lurecheck lists import NAME FILE'],
    [['import', 'feed', 'nowhere.txt'], 'file not found: nowhere.txt'],
    [['import', 'feed', '-'], 'pass --yes'],
    [['add', 'feed', 'a.example', '--expires', '2020-01-01'], '--expires is 2020-01-01, which is in the past'],
    [['add', 'feed', 'a.example', '--expires', 'soon'], '--expires is "soon", but must be a day'],
    [['add', 'feed', 'a.example', '--weight', '11'], '--weight must be a number above 0 and up to 10'],
    [['test', 'http://'], 'must name a host'],
  ])('%p is refused', async (args, said) => {
    await using ours = await box();
    const refused = await ours.lists(...args);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(said);
  });
});

describe('many entries', () => {
  test('are found, sorted by their hits, and removed together once that is confirmed', async () => {
    await using ours = await box();
    const feed = ours.file('feed.txt', 'a.evil.example\nschool.example # ticket 4711\nb.evil.example\n');
    await ours.lists('import', 'feed', feed, '--yes');
    const args = ['check', '-', '--network', 'none', '--record', 'private', '--data-dir', ours.dataDir];
    await lurecheck(args, { stdin: 'https://www.school.example/1\nhttps://www.school.example/2\n' });
    const names = (text: string) => text.split('\n').map((line) => line.split('\t', 2).join(' '));
    const hit = await ours.lists('show', 'feed', '--sort', 'hits');
    expect(names(hit.stdout)).toEqual(['school.example 2 hits', 'a.evil.example 0 hits', 'b.evil.example 0 hits', '']);
    expect((await ours.lists('show', '--hits')).stdout).toContain('3 entries, 2 hits\toperator');
    const found = await ours.lists('show', 'feed', '--search', 'https://www.school.example/1', '--format', 'json');
    expect(JSON.parse(found.stdout)).toMatchObject({ entry: 'school.example', comment: 'ticket 4711' });

    const asked = await ours.lists('remove', 'feed', '--search', 'evil');
    expect(asked.exitCode).toBe(2);
    expect(asked.stdout).toContain('feed: 1 entry (0 new, 2 removed)\n  a.evil.example\n  b.evil.example\n');
    expect((await ours.lists('show', 'feed', '--search', 'evil')).stdout.split('\n')).toHaveLength(3);
    expect((await ours.lists('remove', 'feed', '--search', 'evil', '--yes')).exitCode).toBe(0);
    expect((await ours.lists('show')).stdout).toContain('1 entry');
    const refused = await ours.lists('test', 'evil.example', '--search', 'evil');
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--search requires lists show or remove'),
    ]);
  });
});
