import { expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { executable, lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { onTerminal } from '#test/support/terminal.ts';
import { filesWith, logsWith } from '../checks/store/files-of.ts';

const WORD = 'zx81qqtrace';

async function record(dataDir: string, ...urls: string[]): Promise<void> {
  await lurecheck(['check', '--network', 'none', '--record', 'public', '--data-dir', dataDir, ...urls]);
}

async function urlsOf(dataDir: string, ...flags: string[]): Promise<string[]> {
  const { stdout } = await lurecheck(['log', '--data-dir', dataDir, '--format', 'json', ...flags]);
  return JSON.parse(stdout).map(({ url }: { url: string }) => url);
}

test('history delete removes checks through a running service, from both logs, the counts and every file', async () => {
  await using directory = temporaryDirectory();
  const dataDir = directory.path;
  await using service = await startService(dataDir);
  const urls = [`http://${WORD}.example/`, `http://a.${WORD}.example/login`, 'http://kept.example/'];
  for (const url of urls) for (const isPrivate of [false, true]) await service.result(url, isPrivate);
  const words = ['--domain', `${WORD}.example`, '--yes', '--data-dir', dataDir];
  expect(await lurecheck(['history', 'delete', ...words])).toEqual({
    exitCode: 0,
    stdout: '2 checks deleted from the public log\n',
    stderr: '',
  });
  expect((await service.history()).items.map(({ url }) => url)).toEqual(['http://kept.example/']);
  const { hours } = JSON.parse(await (await fetch(`${service.url}/api/stats`)).text());
  const counted = hours.flatMap(({ allow, warn, block }: Record<string, number>) => [allow, warn, block]);
  expect(counted.reduce((sum: number, checks: number) => sum + checks)).toBe(1);
  expect(await urlsOf(dataDir, '--private')).toHaveLength(3);
  expect(logsWith(dataDir, WORD)).toEqual(['private.sqlite']);
  const { stdout } = await lurecheck(['history', 'delete', '--private', '--format', 'json', ...words]);
  expect(JSON.parse(stdout)).toEqual({
    log: 'private',
    by: 'domain',
    hash: expect.stringMatching(/^[\da-f]{64}$/),
    removed: 2,
    asked_at: expect.any(String),
    done_at: expect.any(String),
  });
  expect(await urlsOf(dataDir, '--private')).toEqual(['http://kept.example/']);
  expect(filesWith(dataDir, WORD)).toEqual([]);
  expect(service.events().filter(({ event }) => event === 'log.deleted')).toMatchObject([
    { visibility: 'public', removed: 2 },
    { visibility: 'private', removed: 2 },
  ]);
  await service.result('http://after.example/');
  expect(await urlsOf(dataDir)).toEqual(['http://after.example/', 'http://kept.example/']);
});

test('history delete works without a service, and history deletions finds it by the deleted domain', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path];
  await record(directory.path, `http://${WORD}.example/`, 'http://kept.example/');
  await lurecheck(['history', 'delete', '--yes', '--domain', `*.${WORD}.EXAMPLE`, ...data]);
  await lurecheck(['history', 'delete', '--yes', '--before', '2020-01-01', ...data]);
  expect(await urlsOf(directory.path)).toEqual(['http://kept.example/']);
  expect(filesWith(directory.path, WORD)).toEqual([]);
  const deletions = async (...flags: string[]) => (await lurecheck(['history', 'deletions', ...data, ...flags])).stdout;
  expect(await deletions()).toMatch(
    /^\S+Z {2}domain #[\da-f]{64} {2}1 check\n\S+Z {2}before 2020-01-01T00:00:00\.000Z {2}0 checks\n$/,
  );
  expect(await deletions('--domain', `${WORD}.example`)).toMatch(/^\S+ {2}domain #[\da-f]{64} {2}1 check\n$/);
  expect(await deletions('--domain', 'kept.example')).toBe('no deletions\n');
  expect(JSON.parse(await deletions('--format', 'json'))).toMatchObject([
    { log: 'public', by: 'domain', removed: 1 },
    { log: 'public', by: 'before', before: '2020-01-01T00:00:00.000Z', removed: 0 },
  ]);
  expect(await deletions('--private')).toBe('no deletions\n');
});

test('history delete requires confirmation', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path];
  await record(directory.path, `http://${WORD}.example/`);
  const command = ['history', 'delete', '--domain', `${WORD}.example`, ...data];
  const nobody = await lurecheck(command);
  expect(nobody).toMatchObject({ exitCode: 2, stdout: '' });
  expect(nobody.stderr).toContain(
    `Permanently delete 1 check of the public log of hosts in ${WORD}.example? [y/N] \nlurecheck: confirmation required, but stdin is not a terminal: pass --yes\n`,
  );
  const no = await lurecheck(command, { stdin: 'no\n' });
  expect([no.exitCode, no.stdout]).toEqual([1, '']);
  expect(no.stderr).toEndWith('lurecheck: cancelled, nothing was deleted\n');
  expect(await urlsOf(directory.path)).toHaveLength(1);
  using terminal = await onTerminal(command);
  await terminal.until('[y/N] ');
  terminal.type('y\r');
  expect(await terminal.exited).toBe(0);
  expect(terminal.shown()).toEndWith('1 check deleted from the public log\r\n');
  expect(await urlsOf(directory.path)).toEqual([]);
});

test('history reports usage errors, and checks that it did not find', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path];
  await record(directory.path, 'http://kept.example/');
  const id = '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b';
  for (const [args, exitCode, message] of [
    [['delete'], 2, 'expected what to delete: --id, --domain or --before'],
    [['delete', '--id', 'x'], 2, '--id takes a request id, not "x"'],
    [['delete', '--domain', 'a b'], 2, '--domain requires a domain such as example.com, not "a b"'],
    [
      ['delete', '--before', 'noon'],
      2,
      '--before must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z, not "noon"',
    ],
    [['delete', '--id', id, '--domain', 'a.example'], 2, 'expected one of --id, --domain and --before'],
    [['forget'], 2, 'expected history delete, history deletions or history exports, not history forget'],
    [['delete', 'all'], 2, 'history delete takes no operand: unexpected "all"'],
    [['deletions', '--yes'], 2, '--yes requires history delete'],
    [['delete', '--id', id], 1, `check not found in the log: ${id}`],
  ] as const) {
    const { exitCode: code, stderr } = await lurecheck(['history', ...args, ...data]);
    expect([args, code, stderr]).toEqual([args, exitCode, expect.stringContaining(message)]);
  }
  const none = await lurecheck(['history', 'delete', '--domain', 'a.example', '--data-dir', `${directory.path}/none`]);
  expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('No log at')]);
  expect(await urlsOf(directory.path)).toEqual(['http://kept.example/']);
});

test('history delete reports copies of the log that it does not search', async () => {
  await using directory = temporaryDirectory();
  await record(directory.path, 'http://kept.example/');
  const aside = `${directory.path}/public.sqlite.damaged-20260101T000000000Z`;
  await writeFile(aside, '');
  const { stderr } = await lurecheck(['history', 'delete', '--domain', 'a.example', '--data-dir', directory.path]);
  expect(stderr).toBe(
    `lurecheck: ${aside} is a copy that may still contain them; remove it when it is no longer needed\n`,
  );
});

test('a deletion that was interrupted by a kill is completed once by the next service', async () => {
  await using directory = temporaryDirectory();
  const dataDir = directory.path;
  {
    await using service = await startService(dataDir);
    for (let i = 0; i < 40; i++) await service.result(`http://h${i}.${WORD}.example/`);
    await service.result('http://kept.example/');
    process.kill(service.pid, 'SIGSTOP');
    const asking = Bun.spawn(
      [await executable(), 'history', 'delete', '--yes', '--domain', `${WORD}.example`, '--data-dir', dataDir],
      { stdout: 'pipe', env: {} },
    );
    for (;;) {
      const { stdout } = await lurecheck(['history', 'deletions', '--data-dir', dataDir]);
      if (stdout.endsWith('0 checks, incomplete\n')) break;
    }
    asking.kill('SIGKILL');
    await service.kill();
  }
  await using service = await startService(dataDir);
  const deletions = async () => (await lurecheck(['history', 'deletions', '--data-dir', dataDir])).stdout;
  while (!(await deletions()).endsWith(' 40 checks\n'));
  expect((await service.history()).items).toHaveLength(1);
  expect(filesWith(dataDir, WORD)).toEqual([]);
});

test('the statistics report the retention limits, with null for no limit', async () => {
  await using directory = temporaryDirectory();
  for (const [flags, retention] of [
    [[], { days: 90, bytes: 2_000_000_000, rows: null }],
    [
      ['--retention-days', '0', '--retention-bytes', '0', '--retention-rows', '7'],
      { days: null, bytes: null, rows: 7 },
    ],
  ] as const) {
    await using service = await startService(directory.path, flags);
    expect(JSON.parse(await (await fetch(`${service.url}/api/stats`)).text())).toMatchObject({ retention });
  }
});

test('history delete does not change log files if the logs are in databases, even unreachable ones', async () => {
  await using directory = temporaryDirectory();
  await record(directory.path, `http://${WORD}.example/`);
  const databases = [
    '--log-database',
    'postgres://owner@127.0.0.1:1/public',
    '--log-database-private',
    'postgres://owner@127.0.0.1:1/private',
  ];
  const words = ['delete', '--domain', `${WORD}.example`, '--yes', '--data-dir', directory.path];
  const { exitCode, stdout, stderr } = await lurecheck(['history', ...words, ...databases]);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toBe('lurecheck: Nothing more is deleted: the database cannot be reached.\n');
  expect(await urlsOf(directory.path)).toHaveLength(1);
});
