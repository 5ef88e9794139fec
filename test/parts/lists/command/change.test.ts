import { expect, test } from 'bun:test';
import { auditLines } from '#test/support/audit-lines.ts';
import { changeLists } from '#test/support/change-lists.ts';
import { runHere } from '#test/support/run-here.ts';
import { lines, listsHere } from './lists-here.ts';

const TODAY = new Date().toISOString().slice(0, 10);

test('adds, tests, removes and rolls back entries, and records each change', async () => {
  await using ours = await listsHere();
  const idle = `no service is running on ${ours.dataDir}; it takes effect at the next start\n`;
  await ours.piped('good.example\nevil.example\n', 'add', 'feed', '-', '--weight', '2.5');
  expect(await ours.lists('add', 'ours', 'good.example', '--action', 'allow', '--comment', 'a partner')).toEqual({
    exitCode: 0,
    stdout: 'ours: 1 entry (1 new)\n',
    stderr: `lurecheck: ours is changed: ${idle}`,
  });
  expect((await ours.lists('test', 'www.good.example/x')).stdout).toBe(
    `lists.kept_allowed\tThe URL has been on the allow list ours since ${TODAY}: good.example (line 1).\n` +
      `lists.suspected\tThe list feed has spoken against the URL since ${TODAY}: good.example (line 1).\n`,
  );
  expect(await ours.lists('add', 'ours', 'co.uk')).toEqual({
    exitCode: 1,
    stdout:
      'ours: 1 entry (0 new), 1 quarantined, not applied\n  line 1: co.uk is a public suffix, shared by many sites\n',
    stderr: 'lurecheck: ours: co.uk is quarantined, not applied\n',
  });
  // A list with such an entry takes others, and one that is added again changes nothing.
  expect(await ours.lists('add', 'ours', 'good.example')).toMatchObject({
    exitCode: 0,
    stdout: 'ours: 1 entry (0 new), 1 duplicates, 1 quarantined, not applied\n',
  });
  expect(await ours.piped('org.uk\nnew.example\n', 'add', 'ours', '-')).toMatchObject({ exitCode: 0 });
  expect((await ours.lists('remove', 'feed', 'evil.example')).stderr).toBe(
    `lurecheck: evil.example is removed from feed: ${idle}`,
  );
  expect(await ours.lists('remove', 'feed', 'evil.example')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('evil.example is not an entry of the list feed'),
  });
  expect(await ours.lists('rollback', 'feed')).toEqual({
    exitCode: 0,
    stdout: 'feed: 2 entries (0 new)\n',
    stderr: `lurecheck: feed is rolled back to before the last change: ${idle}`,
  });
  expect((await ours.lists('rollback')).stderr).toBe(
    `lurecheck: the lists are rolled back to before the last change: ${idle}`,
  );
  const removed = await ours.lists('remove', 'feed');
  expect([removed.stdout, removed.stderr]).toEqual([
    'feed: 0 entries (0 new, 2 removed)\n',
    `lurecheck: feed is removed: ${idle}`,
  ]);
  const history = (await ours.lists('history')).stdout.split('\n').map((line) => line.split('\t').slice(1).join(' '));
  expect(history).toEqual([
    'operator remove feed 0 entries',
    'operator rollback all 3 entries, 1 not applied',
    'operator rollback feed 2 entries',
    'operator remove feed 1 entry',
    'operator add ours 2 entries, 2 not applied',
    'operator add ours 1 entry, 1 not applied',
    'operator add ours 1 entry, 1 not applied',
    'operator add ours 1 entry',
    'operator add feed 2 entries',
    '',
  ]);
  expect(auditLines(ours.dataDir).map(({ action, subject, detail }) => [action, subject, detail])).toMatchObject([
    ['lists.add', 'feed', { entries: 2 }],
    ['lists.add', 'ours', { entry: 'good.example' }],
    ['lists.add', 'ours', { entry: 'co.uk' }],
    ['lists.add', 'ours', { entry: 'good.example' }],
    ['lists.add', 'ours', {}],
    ['lists.remove', 'feed', { entry: 'evil.example' }],
    ['lists.rollback', 'feed', {}],
    ['lists.rollback', null, {}],
    ['lists.remove', 'feed', {}],
  ]);
});

test('counts what an addition repeats and what has expired, and names ten of the lines that are not applied', async () => {
  await using ours = await listsHere();
  const table = 'value,expiration,comment\na.example,,\na.example,,\nb.example,2020-01-01T00:00:00Z,\n';
  expect((await ours.piped(table, 'add', 'feed', '-')).stdout).toBe(
    'read as csv\nfeed: 1 entry (1 new), 1 duplicates, 1 expired and skipped\n',
  );
  for (const [list, count, more] of [
    ['ten', 10, ''],
    ['more', 11, '  and 1 more\n'],
  ] as const) {
    const rules = `||evil.example^\n${lines(count, (at) => `||ads${at}.example^$script`)}`;
    const { stdout } = await ours.piped(rules, 'add', list, '-', '--input', 'adblock');
    expect(stdout).toStartWith(
      `read as adblock\n${list}: 1 entry (1 new), ${count} skipped as unsupported\n  line 2: `,
    );
    expect(stdout.match(/^ {2}line \d+: .*$/gm)).toHaveLength(10);
    expect(stdout).toMatch(new RegExp(`  line 11: .*\n${more}$`));
  }
  const hosts = '0.0.0.0 a.example\n0.0.0.0\n';
  const plain = await ours.piped(hosts, 'add', 'plain', '-', '--input', 'plain');
  expect([plain.exitCode, plain.stderr]).toEqual([1, expect.stringContaining('\nread as plain; name the format')]);
  const [one, two] = [
    await ours.piped(hosts, 'add', 'one', '-'),
    await ours.piped(`${hosts}0.0.0.0 b.example\n0.0.0.0\n`, 'add', 'two', '-'),
  ];
  expect(one.stdout).toStartWith('read as hosts; 1 line was not understood:\n  line 2: ');
  expect(two.stdout).toStartWith('read as hosts; 2 lines were not understood:\n  line 2: ');
});

test('help states the values of options, and how many checks a preview examines', async () => {
  const { stdout } = await runHere(['help', 'lists']);
  expect(stdout).toContain('Examine the latest N checks of each log. Default: 100000.');
  for (const flag of ['weight N|final', 'expires DAY', 'comment TEXT', 'search TEXT', 'limit N', 'from TIME|history'])
    expect(stdout).toContain(`--${flag}`);
  for (const flag of ['until TIME', 'zone NAME', 'out FILE']) expect(stdout).toContain(`--${flag}`);
});

test('adds all spellings of an IDN as one entry', async () => {
  await using ours = await listsHere();
  const spellings = ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example', 'bu\u0308cher.example'];
  const { stdout } = await ours.piped([...spellings, 'bücher。example.'].join('\n'), 'add', 'feed', '-');
  expect(stdout).toBe('read as plain\nfeed: 1 entry (1 new), 4 duplicates\n');
  expect((await ours.lists('show', 'feed')).stdout).toStartWith('xn--bcher-kva.example\tline 1\t');
});

test('takes action, weight and expiry from options, and keeps the first two at the next import', async () => {
  await using ours = await listsHere();
  const add = async (entry: string, ...args: string[]) => await ours.lists('add', 'feed', entry, ...args);
  const list = async () => {
    const [{ action, weight, source }] = JSON.parse((await ours.lists('show', '--format', 'json')).stdout);
    return [action, weight, source];
  };
  await add('a.example', '--action', 'allow', '--weight', '10', '--expires', '2099-12-31');
  expect(await list()).toEqual(['allow', 10, null]);
  await add('b.example', '--weight', '2.125');
  expect(await list()).toEqual(['allow', 2.125, null]);
  await add('c.example', '--weight', '0.5');
  await add('c.example', '--weight', '2.125');
  expect(await list()).toEqual(['allow', 2.125, null]);
  await add('d.example', '--weight', 'final');
  expect(await list()).toEqual(['allow', null, null]);
  const shown = (await ours.lists('show', 'feed', '--format', 'json')).stdout.trim().split('\n');
  expect(shown.map((line) => JSON.parse(line).expires_at)).toEqual(['2100-01-01T00:00:00.000Z', null, null, null]);
  expect((await add('e.example', '--action', 'block')).stderr).toBe(
    'lurecheck: the action of the list feed is allow: use another list for another action\n',
  );
  for (const weight of ['0', '10.001', '11', '-1', 'x1', '1x', '2.1234', '1e1'])
    expect((await add('f.example', `--weight=${weight}`)).stderr).toStartWith(
      `lurecheck: --weight must be a number above 0 and up to 10, or final, not "${weight}"`,
    );
  expect((await add('f.example', '--action', 'warn')).stderr).toStartWith(
    'lurecheck: --action takes block, allow, not',
  );
});

test('removes what a text finds once that is confirmed, and says which popular sites that allows or blocks', async () => {
  await using ours = await listsHere();
  const sites = ['google', 'youtube', 'facebook', 'amazon', 'netflix', 'paypal', 'ebay', 'adobe', 'spotify', 'reddit'];
  const hosts = [...sites, 'yahoo', 'zoom'].map((name) => `${name}.com`);
  // A list from before its entries were popular.
  const changer = { dataDir: ours.dataDir, by: 'operator', guard: () => null, nowMs: Date.now() };
  const items = ['kept.example', ...hosts].map((value, at) => ({
    ...{ value, line: at + 1, expiresAtMs: null, source: null, comment: null, isException: false },
  }));
  const whole = { action: null, source: 'sites.txt', expiresAtMs: null, items };
  await changeLists(changer, [{ what: 'import', list: 'sites', ...whole }]);
  const asked = await ours.lists('remove', 'sites', '--search', '.com');
  expect(asked).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^Remove these entries from sites\? \[y\/N\] \nlurecheck: confirmation required, but stdin is not a terminal: pass --yes\n/,
    ),
  });
  const named = hosts.slice(0, 10).map((host) => `  ${host}\n`);
  expect(asked.stdout).toStartWith(
    `sites: 1 entry (0 new, 12 removed)\n${named.join('')}  and 2 more\nOf 10000 popular sites, 12 would have another decision\n  block → allow  https://www.`,
  );
  expect(asked.stdout.match(/^ {2}block → allow {2}https:.*$/gm)).toHaveLength(10);
  expect(asked.stdout).toEndWith('  and 2 more\n');
  const removed = await ours.lists('remove', 'sites', '--search', 'zoom', '-y');
  expect(removed.exitCode).toBe(0);
  // A single entry was named by the operator.
  expect(removed.stdout).toBe(
    'sites: 12 entries (0 new, 1 removed)\nOf 10000 popular sites, 1 would have another decision\n  block → allow  https://www.zoom.com/\n',
  );
  expect(removed.stderr).toStartWith('lurecheck: sites is changed: ');
  await ours.lists('rollback');
  expect((await ours.lists('history')).stdout.split('\n')[2]).toEndWith(
    '\toperator\timport\tsites\t13 entries\tsites.txt',
  );
});

test.each([
  [
    [],
    'expected lists import, lists add, lists remove, lists test, lists show, lists history, lists rollback, lists export\n',
  ],
  [['explode'], 'lists export, not "explode"\n'],
  [['import', 'feed'], 'expected lurecheck lists import NAME FILE\n'],
  [['import', 'feed', 'a', 'b'], 'expected lurecheck lists import NAME FILE\n'],
  [['import', 'feed', 'nowhere.txt'], 'file not found: nowhere.txt\n'],
  [['add', 'feed'], 'expected lurecheck lists add NAME ENTRY\n'],
  [['add', 'feed', 'a', 'b'], 'expected lurecheck lists add NAME ENTRY\n'],
  [['remove'], 'expected lurecheck lists remove NAME [ENTRY]\n'],
  [['remove', 'feed', 'a', 'b'], 'expected lurecheck lists remove NAME [ENTRY]\n'],
  [['remove', 'feed', 'a', '--search', 'b'], '--search replaces ENTRY: give one of both\n'],
  [['test'], 'expected lurecheck lists test URL\n'],
  [['test', 'a', 'b'], 'expected lurecheck lists test URL\n'],
  [['test', 'http://'], 'must name a host'],
  [['show', 'a', 'b'], 'expected lurecheck lists show [NAME]\n'],
  [['history', 'a'], 'expected lurecheck lists history\n'],
  [['rollback', 'a', 'b'], 'expected lurecheck lists rollback [NAME]\n'],
  [['export', 'a'], 'expected lurecheck lists export --format FORMAT\n'],
  [['export'], '--format'],
  [['test', 'a.example', '--search', 'a'], '--search requires lists show or remove\n'],
  [['remove', 'feed', '--sort', 'line'], '--sort requires lists show\n'],
  [['history', '--hits'], '--hits requires lists show\n'],
  [['show', '--format', 'rpz'], '--format takes text, json, not "rpz"\n'],
  [['show', '--from', '2026-01-31'], '--from requires lists export\n'],
  [['show', '--until', '2026-01-31'], '--until requires lists export\n'],
  [['show', '--private'], '--private requires lists export\n'],
  [['show', '--zone', 'rpz.example'], '--zone requires lists export\n'],
  [['show', '--out', 'file'], '--out requires lists export\n'],
  [['add', 'feed', 'a.example', '--expires', '2020-01-01'], '--expires is 2020-01-01, which is in the past\n'],
  [['add', 'feed', 'a.example', '--expires', 'soon'], '--expires is "soon", but must be a day, such as 2027-12-31\n'],
])('%p is refused', async (args, reason) => {
  await using ours = await listsHere();
  await ours.lists('add', 'feed', 'kept.example');
  const refused = await ours.lists(...args);
  expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toStartWith('lurecheck: ');
  expect(refused.stderr).toContain(reason);
  expect((await ours.lists('show')).stdout).toStartWith('feed\tblock\tfinal\t1 entry\toperator\t');
});
