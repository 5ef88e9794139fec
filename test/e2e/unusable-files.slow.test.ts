import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { reload } from '#test/support/reload.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

/** Files of the data directory, and what everybody may know of one that cannot be used. */
const FILES = [
  ['keys', 'keys.json', 'The keys cannot be read: no key is accepted.'],
  ['lists', 'lists/in-force.json', 'The lists cannot be read: none is active.'],
  ['brands', 'brands.json', 'The configured brands cannot be read: none is active.'],
  ['model', 'models/in-force.json', 'The selected model cannot be used: the built-in one is active.'],
  ['packs', 'packs/in-force.json', 'The active packs cannot be determined.'],
] as const;

/** What makes a file unusable. A folder in its place is unreadable for root, too. */
const FAULTS: readonly (readonly [string, (path: string) => void])[] = [
  ['damaged', (path) => writeFileSync(path, '{"')],
  ['unreadable', (path) => mkdirSync(path)],
];

test.each(
  FILES.flatMap(([file, path, notice]) => FAULTS.map(([what, spoil]) => ({ file, path, notice, what, spoil }))),
)('a service starts without its $what file of $file, and reports the file', async ({ file, path, notice, spoil }) => {
  await using directory = temporaryDirectory();
  const spoilt = join(directory.path, path);
  mkdirSync(dirname(spoilt), { recursive: true });
  spoil(spoilt);
  await using service = await startService(directory.path);
  expect((await service.result('https://example.com/')).decision).toBe('allow');
  const ready = await fetch(`${service.url}/readyz?verbose`);
  expect(ready.status).toBe(200);
  const parts = expect.arrayContaining([expect.objectContaining({ name: file, state: 'degraded' })]);
  expect(await ready.json()).toMatchObject({ notices: [notice], parts });
  const said = await lurecheck(['doctor', '--data-dir', directory.path, '--network', 'none']);
  expect(said.exitCode).toBe(1);
  expect(said.stdout).toContain(spoilt);
  const told = service.events().filter(({ event }) => event === 'file.unusable');
  expect(told).toEqual([expect.objectContaining({ file, problem: expect.stringContaining(spoilt) })]);
  rmSync(spoilt, { recursive: true });
  await untilSeen('the file is usable', async () => {
    const { notices } = (await (await fetch(`${service.url}/readyz`)).json()) as { notices: string[] };
    return notices.length === 0;
  });
});

const AUDIT_NOTICE =
  'The audit log is damaged or cannot be written: changes and signing in to the console are refused.';

test.each<[string, (path: string, text: string) => void]>([
  ['a file that is cut in a line', (path, text) => writeFileSync(path, text.slice(0, -20))],
  ['a changed last line', (path, text) => writeFileSync(path, text.replace('k2', 'k3'))],
  ['another file', (path) => writeFileSync(path, 'other\n')],
  ['no file', () => {}],
  ['a folder', (path) => mkdirSync(path)],
])('a service reports an audit log that became %s, at the start and later', async (_, spoil) => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'audit.log');
  for (const name of ['k1', 'k2']) await lurecheck(['key', 'create', name, '--data-dir', directory.path]);
  const text = readFileSync(path, 'utf8');
  const spoiled = () => {
    rmSync(path);
    spoil(path, text);
  };
  spoiled();
  await using service = await startService(directory.path);
  const condition = async () => {
    const ready = await fetch(`${service.url}/readyz?verbose`);
    const { notices, conditions } = (await ready.json()) as { notices: string[]; conditions: { code: string }[] };
    return [ready.status, notices, conditions.map(({ code }) => code)];
  };
  const [sound, unusable] = [
    [200, [], []],
    [200, [AUDIT_NOTICE], ['log_damaged']],
  ];
  expect(await condition()).toEqual(unusable);
  const said = await lurecheck(['doctor', '--data-dir', directory.path, '--network', 'none']);
  expect([said.exitCode, said.stdout]).toEqual([1, expect.stringContaining(path)]);
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, text);
  await untilSeen('the audit log is usable', async () => Bun.deepEquals(await condition(), sound));
  spoiled();
  await untilSeen('the audit log is unusable', async () => Bun.deepEquals(await condition(), unusable));
  const told = service.events().filter(({ event }) => event === 'file.unusable');
  expect(told.map(({ file }) => file)).toEqual(['audit', 'audit']);
});

test('doctor reports an audit log that was changed before its end', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'audit.log');
  for (const name of ['k1', 'k2']) await lurecheck(['key', 'create', name, '--data-dir', directory.path]);
  writeFileSync(path, readFileSync(path, 'utf8').replace('k1', 'k3'));
  const said = await lurecheck(['doctor', '--data-dir', directory.path, '--network', 'none']);
  expect([said.exitCode, said.stdout]).toEqual([1, expect.stringContaining(`${path} was changed before or in line 2`)]);
});

test.each([
  ['has invalid lines', (path: string) => writeFileSync(path, 'evil.example\nhxxp://evil.example\n')],
  // A loop is unreadable for root, too.
  ['cannot be read', (path: string) => symlinkSync(path, path)],
])('a service starts without a configured list that %s, and reports the list', async (_, spoil) => {
  await using directory = temporaryDirectory();
  const [spoilt, whole] = [join(directory.path, 'feed.txt'), join(directory.path, 'ours.txt')];
  spoil(spoilt);
  writeFileSync(whole, 'bad.example\n');
  const lists = ['--block-list', spoilt, '--block-list', whole];
  await using service = await startService(join(directory.path, 'data'), lists);
  const decisionOf = async (url: string) => (await service.result(url)).decision;
  expect(await decisionOf('http://bad.example/')).toBe('block');
  expect(await decisionOf('http://evil.example/')).not.toBe('block');
  const ready = await fetch(`${service.url}/readyz?verbose`);
  expect(ready.status).toBe(200);
  const notices = ['The list feed.txt cannot be read: it is not active.'];
  const parts = expect.arrayContaining([expect.objectContaining({ name: 'lists', state: 'degraded' })]);
  expect(await ready.json()).toMatchObject({ notices, parts });
  const problem = expect.stringMatching(/feed\.txt.*\n.*\n.*reload the service|feed\.txt.*\n.*reload the service/);
  expect(service.events().filter(({ event }) => event === 'file.unusable')).toEqual([
    expect.objectContaining({ file: 'named_list', problem }),
  ]);
  const said = await lurecheck(['doctor', '--data-dir', directory.path, '--network', 'none', ...lists]);
  expect([said.exitCode, said.stdout]).toEqual([1, expect.stringContaining(spoilt)]);
  // What is sound is taken up beside it.
  writeFileSync(whole, 'bad.example\nworse.example\n');
  await reload(service);
  expect(await decisionOf('http://worse.example/')).toBe('block');
  expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({ notices });
  // A list that breaks now keeps everything as it was.
  writeFileSync(whole, 'not an entry\n');
  process.kill(service.pid, 'SIGHUP');
  await untilSeen('the refusal', () => service.events().some(({ event }) => event === 'settings.kept'));
  expect(await decisionOf('http://worse.example/')).toBe('block');
  writeFileSync(whole, 'bad.example\n');
  rmSync(spoilt);
  writeFileSync(spoilt, 'evil.example\n');
  process.kill(service.pid, 'SIGHUP');
  await untilSeen('the list', async () => (await decisionOf('http://evil.example/')) === 'block');
  expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({ notices: [] });
});

test('a setting that names a missing file is refused at the start', async () => {
  await using directory = temporaryDirectory();
  const listed = join(directory.path, 'misspelt.txt');
  const { exitCode, stderr } = await lurecheck(['serve', '--data-dir', directory.path, '--block-list', listed]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`block_list is "${listed}", which does not exist`)]);
});
