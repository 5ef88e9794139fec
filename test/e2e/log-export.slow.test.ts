import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { executable, lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';

/** A data directory in which URLs were checked publicly. */
async function logOf(...urls: string[]) {
  const directory = temporaryDirectory();
  const dataDir = `${directory.path}/data`;
  await lurecheck(['check', '--network', 'none', '--record', 'public', '--data-dir', dataDir, ...urls]);
  return {
    folder: directory.path,
    dataDir,
    run: (...words: string[]) => lurecheck(['log', 'export', '--data-dir', dataDir, ...words]),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

test('log export filters by decision, domain and time, as log does', async () => {
  await using log = await logOf('http://a.example/', PHISHING, 'http://b.example/');
  const urls = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await log.run('--format', 'csv', ...words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.split('\r\n').slice(1, -1);
    return lines.map((line) => line.split(',')[1]).toSorted();
  };
  expect(await urls()).toEqual(['http://a.example/', 'http://b.example/', PHISHING]);
  expect(await urls('--decision', 'block')).toEqual([PHISHING]);
  expect(await urls('--domain', 'b.example')).toEqual(['http://b.example/']);
  expect(await urls('--until', '2020-01-01')).toEqual([]);
  expect(await urls('--limit', '2')).toHaveLength(2);
});

test('log export --format ndjson writes the same as log', async () => {
  await using log = await logOf('http://a.example/', PHISHING);
  const shown = await lurecheck(['log', '--data-dir', log.dataDir, '--format', 'ndjson']);
  expect(await log.run('--format', 'ndjson')).toEqual(shown);
});

test('log export --format stix and misp contain warned and blocked URLs, under the name of the node', async () => {
  await using log = await logOf('http://a.example/', PHISHING);
  const exported = async (format: string) =>
    JSON.parse((await log.run('--format', format, '--node-name', 'box-7', '--from', '2020-01-01')).stdout);
  const [identity, ...rest] = (await exported('stix')).objects;
  expect(identity).toMatchObject({ type: 'identity', name: 'box-7' });
  const told = rest.flatMap(({ type, value }: { type: string; value: string }) => (type === 'url' ? [value] : []));
  expect(told).toEqual([PHISHING]);
  const { Event: event } = await exported('misp');
  expect(event).toMatchObject({ Orgc: { name: 'box-7' }, Attribute: [{ type: 'url', value: PHISHING, to_ids: true }] });
});

test('log export --format parquet writes a Parquet file, also to a pipe', async () => {
  await using log = await logOf(PHISHING);
  const path = `${log.folder}/checks.parquet`;
  expect((await log.run('--format', 'parquet', '--out', path)).exitCode).toBe(0);
  const file = readFileSync(path);
  expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);
  expect(file.includes(PHISHING)).toBe(true);
  const piped = Bun.spawn([await executable(), 'log', 'export', '--data-dir', log.dataDir, '--format', 'parquet'], {
    stdout: 'pipe',
    env: {},
  });
  expect(Buffer.from(await piped.stdout.bytes())).toEqual(file);
});

test('--out replaces the file in one step, and a link to the file remains', async () => {
  await using log = await logOf('http://a.example/', PHISHING);
  const path = `${log.folder}/checks.csv`;
  writeFileSync(path, 'before');
  symlinkSync(path, `${log.folder}/link.csv`);
  expect(await log.run('--format', 'csv', '--out', `${log.folder}/link.csv`)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  expect(readFileSync(path, 'utf8')).toBe((await log.run('--format', 'csv')).stdout);
  expect(readdirSync(log.folder).toSorted()).toEqual(['checks.csv', 'data', 'link.csv']);
});

test('a failed export leaves the previous file and no other files', async () => {
  await using log = await logOf('http://a.example/');
  const path = `${log.folder}/checks.csv`;
  writeFileSync(path, 'before');
  // A file of 100 bytes at most, which the header alone is longer than.
  const limited = Bun.spawn(
    [
      'prlimit',
      '--fsize=100',
      await executable(),
      'log',
      'export',
      '--data-dir',
      log.dataDir,
      '--format',
      'csv',
      '--out',
      path,
    ],
    { stdout: 'pipe', stderr: 'pipe', env: {} },
  );
  expect(await limited.exited).not.toBe(0);
  expect(await limited.stderr.text()).toContain('EFBIG');
  expect(readFileSync(path, 'utf8')).toBe('before');
  expect(readdirSync(log.folder).toSorted()).toEqual(['checks.csv', 'data']);
  const { stderr, exitCode } = await log.run('--format', 'csv', '--out', `${log.folder}/none/checks.csv`);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot create a file beside')]);
  expect((await log.run('--format', 'csv', '--out', '/dev/null')).stderr).toContain(
    '--out: /dev/null is not a regular file',
  );
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

/** The user of this process by its id, whatever the environment says. */
const USER = Bun.spawnSync(['id', '-un']).stdout.toString().trim();

/** What the record of exports has, but for times. */
async function recorded(dataDir: string) {
  const { stdout } = await lurecheck(['history', 'exports', '--format', 'json', '--data-dir', dataDir]);
  return JSON.parse(stdout).map(({ user, format, checks, done_at }: Record<string, unknown>) => {
    expect(user).toBe(USER);
    return [format, checks, done_at !== null];
  });
}

test('private checks are exported only with --private, for this user only, and permanently recorded', async () => {
  await using log = await logOf('http://public.example/');
  const secret = 'http://zx81qqprivate.example/';
  await lurecheck(['check', '--network', 'none', '--record', 'private', '--data-dir', log.dataDir, secret]);
  for (const format of ['csv', 'ndjson', 'stix', 'misp', 'parquet']) {
    expect((await log.run('--format', format)).stdout).not.toContain('zx81qqprivate');
  }
  expect(await recorded(log.dataDir)).toEqual([]);
  const path = `${log.folder}/private.csv`;
  const { exitCode } = await log.run(
    '--format',
    'csv',
    '--private',
    '--domain',
    'zx81qqprivate.example',
    '--out',
    path,
  );
  expect(exitCode).toBe(0);
  expect(readFileSync(path, 'utf8')).toContain(secret);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect((await log.run('--format', 'ndjson', '--private', '--until', '2020-01-01')).stdout).toBe('');
  // It does not come to its end: the file may have 100 bytes.
  const words = ['log', 'export', '--private', '--data-dir', log.dataDir, '--format', 'csv', '--out', path];
  expect(
    await Bun.spawn(['prlimit', '--fsize=100', await executable(), ...words], { stderr: 'ignore', env: {} }).exited,
  ).not.toBe(0);
  // SQLite could not write either, and what is not on record is not exported.
  expect(await recorded(log.dataDir)).toEqual([
    ['csv', 1, true],
    ['ndjson', 0, true],
  ]);
  expect((await lurecheck(['history', 'exports', '--data-dir', log.dataDir])).stdout).toMatch(
    /^\S+Z {2}csv {2}1 check {2}by \S+\n\S+Z {2}ndjson {2}0 checks {2}by \S+\n$/,
  );
  using database = new Database(`${log.dataDir}/private.sqlite`);
  for (const change of ['delete from exports', "update exports set user = 'nobody'"]) {
    expect(() => database.run(change)).toThrow('what was exported stays on record');
  }
});

test('a failed export of private checks is recorded as incomplete', async () => {
  await using log = await logOf('http://public.example/');
  await lurecheck([
    'check',
    '--network',
    'none',
    '--record',
    'private',
    '--data-dir',
    log.dataDir,
    'http://a.example/',
  ]);
  const child = Bun.spawn(
    [await executable(), 'log', 'export', '--private', '--format', 'csv', '--data-dir', log.dataDir],
    {
      stdout: Bun.file('/dev/full'),
      stderr: 'pipe',
      env: {},
    },
  );
  expect([await child.exited, await child.stderr.text()]).toEqual([1, expect.stringContaining('the disk is full')]);
  expect(await recorded(log.dataDir)).toEqual([['csv', null, false]]);
});

test('an unreadable record is exported with its other columns, and reported', async () => {
  await using log = await logOf('http://a.example/', PHISHING);
  {
    using database = new Database(`${log.dataDir}/public.sqlite`);
    database.run("update checks set record = x'09' where url like '%paypal%'");
  }
  const { exitCode, stdout, stderr } = await log.run('--format', 'csv');
  expect([exitCode, stderr]).toEqual([
    1,
    'lurecheck: 1 record cannot be read; only the other columns of those checks are shown\n',
  ]);
  expect(stdout).toContain(`${PHISHING},block,`);
  expect(stdout).toContain('it has the unknown version 9');
});

/** Where nothing answers. */
const DATABASES = ['public', 'private'].flatMap((visibility) => [
  visibility === 'public' ? '--log-database' : '--log-database-private',
  `postgres://a@127.0.0.1:1/${visibility}`,
]);

test.each([
  [['export'], '--format is required: csv, ndjson'],
  [['export', '--format', 'text'], '--format takes csv, ndjson'],
  [['export', '--format', 'csv', '--follow'], '--follow does not apply to export'],
  [['export', '--format', 'csv', '--private', ...DATABASES], 'private checks in a database cannot be exported'],
  [['export', 'all', '--format', 'csv'], 'log export takes flags only'],
  [['--out', 'x.csv'], '--out requires log export'],
  [['--format', 'csv'], '--format takes text, json, ndjson, tsv, not "csv"'],
])('log %p is refused with the reason', async (words, said) => {
  const { exitCode, stdout, stderr } = await lurecheck(['log', ...words]);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(said);
});
