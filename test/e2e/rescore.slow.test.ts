import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StatsSchema } from '#src/checks/record/stats.ts';
import { lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const MISSED = 'https://www.example.org/parcel';
const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';

/** A box that checked both URLs, and then came to know a list. */
async function box(visibility: 'public' | 'private' = 'public') {
  const directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const list = join(directory.path, 'feed.txt');
  writeFileSync(list, '# came today\nexample.org\n');
  const run = (...args: string[]) => lurecheck([...args, '--data-dir', dataDir]);
  await run('check', '--network', 'none', '--record', visibility, PHISHING, MISSED, 'https://www.debian.org/');
  return {
    dataDir,
    run,
    rescore: (...args: string[]) => run('rescore', '--block-list', list, ...args),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

test('rescore reports allowed checks that are on a later list', async () => {
  await using ours = await box();
  const { exitCode, stdout, stderr } = await ours.rescore();
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Now block, was allow: 1\n {2}\S+ +0\.0 % → 100\.0 % {2}https:\/\/www\.example\.org\/parcel\n {4}The URL is on the block list feed\.txt: line 2, example\.org\.\n\n3 checks re-scored by \S+: 1 with another decision\n$/,
  );
  expect((await ours.run('rescore')).stdout).toMatch(/^3 checks re-scored by \S+: 0 with another decision\n$/);
});

test('rescore prints every check with another decision in ndjson, json and csv', async () => {
  await using ours = await box();
  const lines = (await ours.rescore('--format', 'ndjson')).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  const told = JSON.parse(lines[0] ?? '');
  expect(told).toMatchObject({ url: MISSED, was: { decision: 'allow' }, now: { decision: 'block' }, because: 'lists' });
  const whole = JSON.parse((await ours.rescore('--format', 'json')).stdout);
  expect(whole).toMatchObject({ judged: 3, unread: 0, changed: [told] });
  expect(whole.changes).toContainEqual({ was: 'allow', now: 'block', checks: 1 });
  expect(JSON.parse((await ours.run('rescore', '--format', 'json')).stdout)).toMatchObject({ judged: 3, changed: [] });
  const [header, row, end] = (await ours.rescore('--format', 'csv')).stdout.split('\r\n');
  expect([header?.split(',').length, row?.split(',').slice(1, 4), end]).toEqual([
    9,
    [MISSED, told.request_id, 'allow'],
    '',
  ]);
});

test('rescore filters the checks, and its exit code follows --fail-on', async () => {
  await using ours = await box();
  const exit = async (...args: string[]) => (await ours.rescore(...args)).exitCode;
  expect(await exit('--fail-on', 'block')).toBe(20);
  expect(await exit('--fail-on', 'block', '--decision', 'block')).toBe(0);
  expect(await exit('--fail-on', 'block', '--until', '2020-01-01')).toBe(0);
  expect(await exit('--fail-on', 'block', '--domain', 'debian.org')).toBe(0);
  expect(await exit('--fail-on', 'warn', '--block-threshold', '0.9999999999')).toBe(10);
  expect((await ours.rescore('--limit', '1')).stdout).toMatch(/^1 check re-scored/m);
});

test('rescore changes no record', async () => {
  await using ours = await box();
  const kept = async () => (await ours.run('log', '--format', 'ndjson')).stdout;
  const before = await kept();
  const files = readdirSync(ours.dataDir).toSorted();
  await ours.rescore();
  expect(await kept()).toBe(before);
  expect(readdirSync(ours.dataDir).toSorted()).toEqual(files);
});

test('private checks are re-scored only with --private, which is recorded', async () => {
  await using ours = await box('private');
  expect((await ours.rescore()).stdout).toMatch(/^0 checks/);
  expect((await ours.rescore('--private')).stdout).toContain('Now block, was allow: 1');
  expect((await ours.run('history', 'exports')).stdout).toMatch(/^\S+ {2}rescore {2}1 check {2}by \S+\n$/);
  expect(readFileSync(join(ours.dataDir, 'public.sqlite'), 'latin1')).not.toContain('example.org');
});

test('the statistics contain the nightly re-scoring, without deleted checks', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const ids: string[] = [];
  {
    await using service = await startService(dataDir);
    for (const url of [MISSED, 'https://www.debian.org/']) ids.push((await service.result(url)).request_id);
    expect(await statsOf(service)).not.toHaveProperty('rescored');
  }
  const counts = {
    finished_at: '2026-03-01T02:00:09.000Z',
    judged: 2,
    changes: [{ was: 'allow', now: 'block', checks: 2 }],
  };
  const graver = ids.map((request_id) => ({ request_id, was: 'allow', now: 'block' }));
  writeFileSync(join(dataDir, 'rescored.json'), JSON.stringify({ ...counts, graver }));
  await using service = await startService(dataDir, ['--rescore-at', '03:00', '--admin-listen', '127.0.0.1:0']);
  const rescored = async () => (await statsOf(service))['rescored'];
  expect(await rescored()).toMatchObject({ ...counts, graver: [{ url: MISSED, now: 'block' }, { was: 'allow' }] });
  const admin = /"admin_url":"([^"]+)"/.exec(service.output.stdout)?.[1];
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  expect(metrics).toContain('lurecheck_rescore_checks 2\n');
  expect(metrics).toContain('lurecheck_rescore_changed_checks{was="allow",now="block"} 2\n');
  expect(metrics).toContain('lurecheck_rescore_finished_timestamp_seconds 1772330409\n');
  await lurecheck(['history', 'delete', '--domain', 'example.org', '--yes', '--data-dir', dataDir]);
  expect(await rescored()).toMatchObject({ ...counts, graver: [{ url: 'https://www.debian.org/' }] });
});

async function statsOf(service: Service): Promise<Record<string, unknown>> {
  return parseAs(StatsSchema, await (await fetch(`${service.url}/api/stats`)).json());
}

test.each([
  [['here'], 'rescore takes no operand: unexpected "here"'],
  [['--from', 'yesterday'], '--from must be a time such as 2026-01-31'],
  [['--format', 'tsv'], '--format takes text, json, ndjson, csv, not "tsv"'],
  [
    [
      '--private',
      ...['--log-database', 'postgres://box@127.0.0.1:1/lurecheck'],
      ...['--log-database-private', 'postgres://box@127.0.0.1:1/private'],
    ],
    'private checks in a database cannot be exported',
  ],
])('rescore %j is refused with the reason', async (args, sentence) => {
  await using directory = temporaryDirectory();
  const { exitCode, stderr } = await lurecheck(['rescore', ...args, '--data-dir', directory.path]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
