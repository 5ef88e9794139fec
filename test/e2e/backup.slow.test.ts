import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { executable, lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

/** Begins a backup that takes a while, and holds it in the middle of its work until it is sent SIGCONT. */
async function startLargeBackup(dataDir: string, file: string) {
  if (!existsSync(dataDir)) {
    await lurecheck(['check', '--record', 'public', '--network', 'none', '--data-dir', dataDir, checkUrl(1)]);
    mkdirSync(join(dataDir, 'models'));
    writeFileSync(join(dataDir, 'models/large.bin'), '');
    truncateSync(join(dataDir, 'models/large.bin'), 256 * 1024 * 1024);
  }
  const command = [await executable(), 'backup', 'create', file, '--data-dir', dataDir];
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit', env: {} });
  const folder = dirname(file);
  await untilSeen('the beginning of a backup', () =>
    readdirSync(folder).some((name) => {
      const draft = join(folder, name, 'backup');
      return name.startsWith(`${basename(file)}.partial-`) && existsSync(draft) && statSync(draft).size > 0;
    }),
  );
  child.kill('SIGSTOP');
  return child;
}

const checkUrl = (n: number) => `https://host${n}.example/`;

test('a backup of a running service contains all answered checks, keys and brands, and restores them', async () => {
  await using directory = temporaryDirectory();
  const [dataDir, restored] = [join(directory.path, 'data'), join(directory.path, 'restored')];
  const file = join(directory.path, 'one.backup');
  const at = ['--data-dir', dataDir];
  const key = (await lurecheck(['key', 'create', 'office', '--limit', '3', ...at])).stdout.trim();
  await lurecheck(['brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example', ...at]);
  let answered = 0;
  {
    await using service = await startService(dataDir);
    await service.result('https://hidden.example/', true);
    for (; answered < 50; answered++) await service.result(checkUrl(answered));
    let isDone = false;
    const load = (async () => {
      for (let n = 1000; !isDone; n++) await service.result(checkUrl(n));
    })();
    const made = await lurecheck(['backup', 'create', file, ...at]);
    isDone = true;
    await load;
    expect([made.exitCode, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toMatch(/^created \S+one\.backup: \d+ public and 1 private checks, created on 20\S+Z by \d/);
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [whole, listed] = [
    await lurecheck(['backup', 'verify', file]),
    await lurecheck(['backup', 'list', directory.path]),
  ];
  expect([whole.exitCode, whole.stdout.startsWith('verified ')]).toEqual([0, true]);
  expect(listed.stdout).toMatch(/^one\.backup\t\d/);
  const bytes = readFileSync(file);
  for (const left of [bytes.length - 512 - 1, 30_000, bytes.length - 4096]) {
    const cut = join(directory.path, 'cut');
    mkdirSync(cut, { recursive: true });
    writeFileSync(join(cut, 'cut.backup'), bytes.subarray(0, left));
    expect((await lurecheck(['backup', 'list', cut])).stdout).toStartWith('cut.backup\tINCOMPLETE, truncated: ');
    const [marked] = JSON.parse((await lurecheck(['backup', 'list', cut, '--format', 'json'])).stdout);
    expect(marked).toMatchObject({ file: 'cut.backup', complete: false });
  }
  // The place of the key says nothing where the key is not.
  const strange = await lurecheck(['backup', 'restore', file, '--data-dir', restored]);
  expect([strange.exitCode, strange.stdout, readdirSync(restored)]).toEqual([1, '', []]);
  expect(strange.stderr).toContain('is from another installation, or the key of this one is missing');
  expect(strange.stderr).toMatch(
    /It would restore:\n {2}keys: office \(check.*\)\n {2}publishers: none\n {2}lists: none\n {2}brands: Nordwerk\n/,
  );
  const copy = join(directory.path, 'key.copy');
  const copied = await lurecheck(['backup', 'key', copy, '--data-dir', dataDir]);
  expect([copied.exitCode, copied.stdout]).toEqual([0, expect.stringMatching(/: key [0-9a-f]{16}, copied on 20/)]);
  const keyFile = ['--backup-key-file', copy];
  expect((await lurecheck(['backup', 'verify', file, ...keyFile])).stdout).toContain('its MAC is valid');
  for (const flag of ['--foreign', '--other-machine']) {
    const foreign = await lurecheck(['backup', 'restore', file, flag, '--data-dir', join(directory.path, flag)]);
    expect([foreign.exitCode, foreign.stderr]).toEqual([0, '']);
    expect(foreign.stdout).toContain('its creator is unknown\n  keys: office (check');
  }
  const back = await lurecheck(['backup', 'restore', file, '--data-dir', restored, ...keyFile]);
  expect([back.exitCode, back.stderr]).toEqual([0, '']);
  expect(back.stdout).toEndWith('; its MAC is valid: this installation created it\n');
  expect((await lurecheck(['audit', 'show', '--data-dir', restored])).stdout).toContain('backup.restore');

  await using service = await startService(restored, ['--rate-limit', '1']);
  const urls = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '500', ...(cursor !== '' && { cursor }) });
    const page = parseAs(HistoryPageSchema, await (await fetch(`${service.url}/api/history?${query}`)).json());
    for (const item of page.items) urls.add(item.url);
    cursor = page.next_cursor;
  }
  for (let n = 0; n < answered; n++) expect(urls).toContain(checkUrl(n));
  const asked = await fetch(`${service.url}/api/check-url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ url: 'https://nordwerk.example/' }),
  });
  expect([asked.status, asked.headers.get('ratelimit-policy')]).toEqual([200, '"default";q=3;w=60']);
  const taught = await lurecheck(['brand', 'list', '--data-dir', restored]);
  expect(taught.stdout).toContain('Nordwerk');
  const hidden = await lurecheck(['log', '--private', '--format', 'tsv', '--data-dir', restored]);
  expect(hidden.stdout).toContain('hidden.example');
});

test('a failed backup command reports the reason in one sentence, and changes nothing', async () => {
  await using directory = temporaryDirectory();
  const path = (name: string) => join(directory.path, name);
  await lurecheck(['check', '--record', 'public', '--network', 'none', '--data-dir', path('data'), checkUrl(1)]);
  const at = ['--data-dir', path('data')];
  expect((await lurecheck(['backup', 'create', path('one'), ...at])).exitCode).toBe(0);
  const before = readFileSync(path('data/public.sqlite'));
  await Bun.write(path('cut'), readFileSync(path('one')));
  truncateSync(path('cut'), statSync(path('one')).size / 2);
  mkdirSync(path('empty'));
  for (const [args, exitCode, sentence] of [
    [['create', path('one'), ...at], 1, 'already exists'],
    [['create', path('nowhere/two'), ...at], 1, 'the folder of the backup does not exist'],
    [['create', path('two'), '--data-dir', path('empty')], 1, 'No log '],
    [['verify', path('cut')], 1, 'is damaged: it is cut short'],
    [['restore', path('cut'), '--data-dir', path('empty')], 1, 'is damaged: it is cut short'],
    [['verify', path('data/public.sqlite')], 1, 'is not a backup of lurecheck'],
    [['verify', path('empty')], 1, 'is not a backup of lurecheck'],
    [['restore', path('one'), ...at], 1, 'is not empty'],
    [['restore', path('one'), '--data-dir', path('cut')], 1, 'cut cannot be opened for writing: the path is not a'],
    [['restore', path('none')], 2, 'file not found'],
    [['create'], 2, 'backup create takes the name of a file'],
    [['delete', path('one')], 2, 'backup takes create, verify, restore or list, not "delete"'],
    [['create', path('a'), path('b')], 2, 'backup create takes one name'],
  ] as const) {
    const { stdout, stderr, ...run } = await lurecheck(['backup', ...args]);
    expect([args[0], run.exitCode, stdout]).toEqual([args[0], exitCode, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  }
  expect(readFileSync(path('data/public.sqlite')).equals(before)).toBe(true);
  expect(existsSync(path('two'))).toBe(false);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a backup that %s ends leaves no file, and exits by that signal',
  async (signal) => {
    await using directory = temporaryDirectory();
    const path = (name: string) => join(directory.path, name);
    const backup = await startLargeBackup(path('data'), path('one.backup'));
    backup.kill(signal);
    backup.kill('SIGCONT');
    await backup.exited;
    expect([backup.signalCode, readdirSync(directory.path)]).toEqual([signal, ['data']]);
  },
);

test('a backup removes and reports the files of a killed backup, but not of one in progress', async () => {
  await using directory = temporaryDirectory();
  const path = (name: string) => join(directory.path, name);
  const killed = await startLargeBackup(path('data'), path('one.backup'));
  const isWork = (name: string) => name.includes('.partial-');
  const [left = ''] = readdirSync(directory.path).filter(isWork);
  killed.kill('SIGKILL');
  await killed.exited;
  expect(readdirSync(directory.path)).toContain(left);
  const atWork = await startLargeBackup(path('data'), path('two.backup'));
  const made = await lurecheck(['backup', 'create', path('three.backup'), '--data-dir', path('data')]);
  expect([made.exitCode, made.stderr]).toEqual([
    0,
    `lurecheck: removed ${path(left)}, left by an interrupted backup\n`,
  ]);
  atWork.kill('SIGCONT');
  expect(await atWork.exited).toBe(0);
  expect(readdirSync(directory.path).toSorted()).toEqual(['data', 'three.backup', 'two.backup']);
  expect((await lurecheck(['backup', 'verify', path('two.backup')])).exitCode).toBe(0);
});

test('a service makes complete scheduled backups that exclude older ones, and raises alerts', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const key = ['key', 'create', 'ending', '--expires', soon, '--scope', 'check', '--data-dir', dataDir];
  expect((await lurecheck(key)).exitCode).toBe(0);
  const made = () => (existsSync(join(dataDir, 'backups')) ? readdirSync(join(dataDir, 'backups')) : []);
  for (const round of [1, 2]) {
    // Of the time of day that has just passed: the first start makes one at once, the second finds it.
    await using service = await startService(dataDir, ['--backup-at', '00:00', '--admin-listen', '127.0.0.1:0']);
    await service.result(`https://round${round}.example/`);
    await untilSeen('the backup', () => made().length > 0 && !made().some((name) => !name.endsWith('.backup')));
    await untilSeen('the alert', () => service.events().some(({ event }) => event === 'alert.raised'));
    const alert = service.events().find(({ event }) => event === 'alert.raised');
    expect(alert).toMatchObject({ code: 'key_expires', message: expect.stringContaining('ending') });
    const ready = await (await fetch(`${service.url}/readyz?verbose`)).text();
    expect(ready).toContain('1 key will expire within 14 days.');
    expect(ready).not.toContain('ending');
    const listening = service.events().find(({ event }) => event === 'server.listening');
    const metrics = await (await fetch(`${listening?.['admin_url']}/metrics`)).text();
    expect(metrics).toContain('lurecheck_alert{code="key_expires"} 1\n');
  }
  expect(made()).toHaveLength(1);
  const file = join(dataDir, 'backups', made()[0] ?? '');
  expect((await lurecheck(['backup', 'verify', file, '--data-dir', dataDir])).stdout).toStartWith('verified ');
  const copy = join(directory.path, 'copy.backup');
  expect((await lurecheck(['backup', 'create', copy, '--data-dir', dataDir])).exitCode).toBe(0);
  expect(readFileSync(copy).includes(made()[0] ?? '')).toBe(false);
  const examined = await lurecheck(['doctor', '--network', 'none', '--data-dir', dataDir]);
  expect(examined.stdout).toContain('Keys expire: ending on');
});
