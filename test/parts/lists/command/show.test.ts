import { expect, test } from 'bun:test';
import { changeLists } from '#test/support/change-lists.ts';
import { listsHere } from './lists-here.ts';

const TODAY = new Date().toISOString().slice(0, 10);

const DECIDED = { list: 'feed', entry: 'school.example', source: null };
const NOW = Date.now();
const DAY_MS = 86_400_000;

/** A check that the entry decided. */
const hit = (url: string, atMs = NOW) => ({
  url,
  atMs,
  result: { decision: 'block' as const },
  details: { decided_by: { ...DECIDED, source: 'list' as const } },
});

test('shows lists and entries for people and for programs', async () => {
  await using ours = await listsHere();
  expect(await ours.lists('show')).toEqual({
    exitCode: 0,
    stdout: 'no lists\n',
    stderr: `lurecheck: the lists: not active: no service is running on ${ours.dataDir}; it takes effect at the next start\n`,
  });
  expect((await ours.lists('show', '--format', 'json')).stdout).toBe('[]\n');
  expect((await ours.lists('history')).stdout).toBe('no changes of the lists\n');
  expect((await ours.lists('history', '--format', 'json')).stdout).toBe('[]\n');
  const rules = '||b.example^\n@@||c.b.example^\n||co.uk^\n';
  await ours.piped(rules, 'add', 'filters', '-', '--input', 'adblock', '--expires', '2099-12-31');
  await ours.lists('add', 'ours', 'a.example', '--weight', '1.5', '--action', 'allow', '--comment', 'the partner');
  const [filters = '', own = ''] = (await ours.lists('show')).stdout.split('\n');
  expect(filters).toMatch(/^filters\tblock\tfinal\t2 entries, 1 not applied\toperator\t\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(own).toMatch(/^ours\tallow\tweight 1\.5\t1 entry\toperator\t\S+Z$/);
  const since = `since ${TODAY}`;
  expect((await ours.lists('show', 'filters')).stdout).toBe(
    `b.example\tline 1\t${since}\tuntil 2100-01-01T00:00:00.000Z\n` +
      `c.b.example\tline 2\t${since}\tuntil 2100-01-01T00:00:00.000Z\texception\n` +
      `co.uk\tline 3\t${since}\tuntil 2100-01-01T00:00:00.000Z\tnot applied: it is a public suffix, shared by many sites\n`,
  );
  expect((await ours.lists('show', 'ours')).stdout).toBe(`a.example\tline 1\t${since}\tthe partner\n`);
  const [first, second, third] = (await ours.lists('show', 'filters', '--format', 'json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const usual = { source: null, comment: null, quarantine: null, exception: false };
  const times = {
    added_at: expect.stringMatching(new RegExp(`^${TODAY}T.*Z$`)),
    expires_at: '2100-01-01T00:00:00.000Z',
  };
  expect([first, second, third]).toEqual([
    { ...usual, ...times, entry: 'b.example', line: 1 },
    { ...usual, ...times, entry: 'c.b.example', line: 2, exception: true },
    { ...usual, ...times, entry: 'co.uk', line: 3, quarantine: 'public_suffix' },
  ]);
  const lists = (await ours.lists('show', '--format', 'json')).stdout;
  expect(lists).toStartWith('[\n  {\n');
  const sha256 = expect.stringMatching(/^[\da-f]{64}$/);
  const stored = { origin: 'operator', source: null, sha256, changed_at: expect.stringMatching(/Z$/) };
  expect(JSON.parse(lists)).toEqual([
    { ...stored, name: 'filters', action: 'block', weight: null, entries: 2, quarantined: 1 },
    { ...stored, name: 'ours', action: 'allow', weight: 1.5, entries: 1, quarantined: 0 },
  ]);
  const history = JSON.parse((await ours.lists('history', '--format', 'json')).stdout);
  expect(history).toMatchObject([
    { what: 'add', list: 'ours', entries: 1, quarantined: 0, by: 'operator', source: null },
    { what: 'add', list: 'filters', entries: 2, quarantined: 1, by: 'operator', source: null },
  ]);
  expect(await ours.lists('show', 'none')).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: 'lurecheck: list not found: none; see lurecheck lists show\n',
  });
});

test('finds entries, sorts them, and counts the checks of 30 days that they decided', async () => {
  await using ours = await listsHere([
    hit('https://www.school.example/1'),
    hit('https://www.school.example/2'),
    hit('https://www.school.example/3', NOW - 29 * DAY_MS),
    hit('https://www.school.example/4', NOW - 31 * DAY_MS),
  ]);
  await ours.piped('b.evil.example\nschool.example # ticket 4711\na.evil.example\n', 'add', 'feed', '-');
  await ours.lists('add', 'ours', 'c.evil.example');
  const names = async (...args: string[]) => {
    const { stdout } = await ours.lists('show', 'feed', ...args);
    return stdout.split('\n').map((line) => line.split('\t', 2).join(' '));
  };
  const [a, b, school] = ['a.evil.example', 'b.evil.example', 'school.example'];
  expect(await names('--sort', 'hits')).toEqual([`${school} 3 hits`, `${b} 0 hits`, `${a} 0 hits`, '']);
  expect(await names('--hits')).toEqual([`${b} 0 hits`, `${school} 3 hits`, `${a} 0 hits`, '']);
  expect(await names('--sort', 'entry')).toEqual([`${a} line 3`, `${b} line 1`, `${school} line 2`, '']);
  expect(await names('--search', 'evil')).toEqual([`${b} line 1`, `${a} line 3`, '']);
  expect(await names('--search', 'https://www.school.example/1')).toEqual([`${school} line 2`, '']);
  const lists = (await ours.lists('show', '--hits')).stdout;
  expect(lists).toMatch(/^feed\tblock\tfinal\t3 entries, 3 hits\toperator\t.*\nours\tblock\tfinal\t1 entry, 0 hits\t/);
  const json = async (...args: string[]) => (await ours.lists('show', ...args, '--format', 'json')).stdout;
  expect(JSON.parse(await json('--hits')).map(({ hits }: { hits: number }) => hits)).toEqual([3, 0]);
  expect(JSON.parse(await json('feed', '--hits', '--search', 'school'))).toMatchObject({ entry: school, hits: 3 });
  expect(await json('feed', '--search', 'school')).not.toContain('hits');
  expect(await json()).not.toContain('hits');
  expect((await ours.lists('show', 'feed', '--sort', 'size')).stderr).toStartWith(
    'lurecheck: --sort takes line, entry, added, expires, hits, not "size"',
  );
});

test('without a log there are no hits to count', async () => {
  await using ours = await listsHere();
  await ours.lists('add', 'feed', 'a.example');
  expect((await ours.lists('show', '--hits')).stdout).toStartWith('feed\tblock\tfinal\t1 entry\toperator\t');
  expect((await ours.lists('show', 'feed', '--hits')).stdout).toBe(`a.example\tline 1\tsince ${TODAY}\n`);
});

test('sorts the latest additions first, and what expires first', async () => {
  await using ours = await listsHere();
  const add = (value: string, nowMs: number, expiresAtMs: number | null) =>
    changeLists({ dataDir: ours.dataDir, by: 'operator', guard: () => null, nowMs }, [
      {
        ...{ what: 'add', list: 'feed', action: null, source: null, expiresAtMs },
        items: [{ value, line: 1, expiresAtMs: null, source: null, comment: null, isException: false }],
      },
    ]);
  await add('a.example', NOW - 2 * DAY_MS, null);
  await add('b.example', NOW, NOW + 2 * DAY_MS);
  await add('c.example', NOW - DAY_MS, NOW + DAY_MS);
  const order = async (...args: string[]) =>
    (await ours.lists('show', 'feed', ...args)).stdout.split('\n').map((line) => line.split('.', 1)[0]);
  expect(await order('--sort', 'added')).toEqual(['b', 'c', 'a', '']);
  expect(await order('--sort', 'expires')).toEqual(['c', 'b', 'a', '']);
  expect(await order()).toEqual(['a', 'b', 'c', '']);
  const said = async () => (await ours.lists('test', 'c.example')).stdout;
  expect(await said()).toStartWith('lists.kept_blocked\t');
});

test('reports an entry that covers a URL and has expired', async () => {
  await using ours = await listsHere();
  const at = NOW - 2 * DAY_MS;
  await changeLists({ dataDir: ours.dataDir, by: 'operator', guard: () => null, nowMs: at }, [
    {
      ...{ what: 'add', list: 'feed', action: null, source: null, expiresAtMs: at + DAY_MS },
      items: [{ value: 'a.example', line: 1, expiresAtMs: null, source: 'urlhaus', comment: 'x', isException: false }],
    },
  ]);
  expect((await ours.lists('show', 'feed')).stdout).toEndWith('Z\turlhaus\tx\n');
  const until = new Date(Math.floor((at + DAY_MS) / 1000) * 1000).toISOString();
  expect((await ours.lists('test', 'a.example')).stdout).toBe(
    `expired\tfeed, line 1, a.example was valid until ${until}\n`,
  );
});

test('says what the lists say of a URL and of those that it wraps, also what has no effect', async () => {
  await using ours = await listsHere();
  await ours.piped('||evil.example^\n@@||good.evil.example^\n||co.uk^\n', 'add', 'filters', '-', '--input', 'adblock');
  const said = async (url: string, ...args: string[]) => (await ours.lists('test', url, ...args)).stdout;
  expect(await said('https://other.example')).toBe('no list matches\n');
  expect(await said('HTTPS://www.evil.example/')).toBe(
    `lists.kept_blocked\tThe URL has been on the block list filters since ${TODAY}: evil.example (line 1).\n`,
  );
  expect(await said('https://good.evil.example/')).toBe(
    'exception\tfilters, line 2, good.evil.example excludes it from that list\n',
  );
  expect(await said('shop.co.uk')).toBe(
    'not applied\tfilters, line 3, co.uk is a public suffix, shared by many sites\n',
  );
  const wrapped = await said('https://other.example/?url=https%3A%2F%2Fevil.example%2F');
  expect(wrapped).toStartWith('lists.kept_blocked\t');
  expect(wrapped).toContain('evil.example');
  expect(wrapped).not.toBe(await said('https://evil.example/'));
  expect(JSON.parse(await said('http://good.evil.example', '--format', 'json'))).toEqual({
    url: 'http://good.evil.example/',
    reasons: [],
    entries: [
      { list: 'filters', row: expect.objectContaining({ entry: 'evil.example', line: 1, isException: false }) },
      { list: 'filters', row: expect.objectContaining({ entry: 'good.evil.example', line: 2, isException: true }) },
    ],
  });
  const [reason] = JSON.parse(await said('evil.example', '--format', 'json')).reasons;
  expect(reason).toMatchObject({ code: 'lists.kept_blocked', message: expect.stringContaining('evil.example') });
});
