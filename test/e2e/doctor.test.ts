import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** What the doctor finds of a data directory: states by name, the worst of each, and all that it says. */
async function examined(dataDir: string, ...args: string[]) {
  const offline = args.includes('--network') ? [] : ['--network', 'none'];
  const run = await lurecheck(['doctor', '--data-dir', dataDir, ...offline, ...args]);
  const found = new Map<string, string>();
  for (const [, state = '', name = ''] of run.stdout.matchAll(/^(ok|advice|fault) +(\w+):/gm)) {
    if (found.get(name) === undefined || state === 'fault' || found.get(name) === 'ok') found.set(name, state);
  }
  return { ...run, states: Object.fromEntries(found) };
}

const WELL = {
  service: 'ok',
  ...{
    data_directory: 'ok',
    permissions: 'ok',
    disk: 'ok',
    disk_speed: expect.any(String),
    logs: 'ok',
    audit_log: 'ok',
    model: 'ok',
  },
  ...{
    clock: 'ok',
    lists: 'ok',
    keys: 'ok',
    alerts: 'ok',
    packs: 'ok',
    feedback: 'ok',
    resolver: 'ok',
    egress: 'ok',
    proxy: 'ok',
    notifications: 'ok',
  },
};

describe('doctor', () => {
  test('finds no fault with a running service, and changes nothing', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path);
    await service.result('https://example.com/');
    const before = readdirSync(directory.path).toSorted();
    const { exitCode, states, stderr, stdout } = await examined(directory.path);
    expect([exitCode, states, stderr]).toEqual([0, WELL, '']);
    expect(stdout).toMatch(/The oldest of \d+ tables of facts, [a-z-]+\.json, is of 20\d\d-\d\d-\d\d/);
    expect(readdirSync(directory.path).toSorted()).toEqual(before);
    await service.result('https://example.org/');
  });

  test('reports a damaged brand file as a fault of the brands, not of the model', async () => {
    await using directory = temporaryDirectory();
    writeFileSync(join(directory.path, 'brands.json'), '{"');
    const { states, stdout } = await examined(directory.path);
    expect([states['brands'], states['model']]).toEqual(['fault', undefined]);
    expect(stdout).toContain('no configured brand is active');
  });

  test('gives advice on each problem, and exits with 1 only if something does not work', async () => {
    await using directory = temporaryDirectory();
    const dataDir = join(directory.path, 'data');
    const list = join(directory.path, 'own.txt');
    await lurecheck(['check', '--record', 'private', '--network', 'none', '--data-dir', dataDir, 'https://a.example/']);
    const find = async (...args: string[]) => await examined(dataDir, ...args);

    chmodSync(join(dataDir, 'private.sqlite'), 0o644);
    const open = await find();
    expect([open.exitCode, open.states]).toEqual([0, { ...WELL, permissions: 'advice' }]);
    expect(open.stdout).toContain(`access to ${dataDir}/private.sqlite.`);
    chmodSync(join(dataDir, 'private.sqlite'), 0o600);

    writeFileSync(list, 'one.example\n');
    utimesSync(list, new Date(0), new Date(0));
    expect((await find('--block-list', list)).states).toEqual({ ...WELL, lists: 'advice' });
    writeFileSync(list, 'not a host\n');
    const wrong = await find('--block-list', list);
    expect([wrong.exitCode, wrong.states]).toEqual([1, { ...WELL, lists: 'fault' }]);

    const inner = await find('--network', 'full', '--dns-server', '127.0.0.1:1', '--egress-allow', '10.0.0.0/8');
    expect([inner.exitCode, inner.states]).toEqual([1, { ...WELL, resolver: 'fault', egress: 'advice' }]);
    expect(inner.stdout).toContain('Checks can reach private networks.');

    const proxied = await find('--trusted-proxy', '10.0.0.0/8');
    expect([proxied.states, proxied.stdout.includes('through 10.0.0.0/8 is attributed to 198.51.100.7.')]).toEqual([
      WELL,
      true,
    ]);
    expect((await find('--trusted-proxy', '0.0.0.0/0')).states).toEqual({ ...WELL, proxy: 'advice' });

    using database = new Database(join(dataDir, 'public.sqlite'));
    database.run('pragma user_version = 99');
    const newer = await find();
    expect([newer.exitCode, newer.states]).toEqual([1, { ...WELL, logs: 'fault' }]);
    expect(newer.stdout).toContain('was written by a newer version of lurecheck');
  });

  test('rejects invalid settings before it examines anything', async () => {
    await using directory = temporaryDirectory();
    const { exitCode, stdout } = await examined(directory.path, '--rate-limit', 'many');
    expect([exitCode, stdout]).toEqual([2, '']);
  });
});

test('the bundle of doctor contains no key, name, address or URL, and overwrites no file', async () => {
  await using directory = temporaryDirectory();
  const [dataDir, bundle] = [join(directory.path, 'planted-folder'), join(directory.path, 'bundle.json')];
  const list = join(directory.path, 'planted-list.txt');
  writeFileSync(list, 'planted-entry.example\n');
  const args = ['--data-dir', dataDir];
  const { stdout: key } = await lurecheck(['key', 'create', 'planted-name', ...args]);
  await lurecheck(['brand', 'add', 'Planted', '--domain', 'planted-brand.example', ...args]);
  for (const log of ['public', 'private']) {
    await lurecheck(['check', '--record', log, '--network', 'none', ...args, 'https://planted-url.example/?t=planted']);
  }
  const planted = [
    ...['--block-list', list, '--contact', 'planted@example.com', '--host', 'planted-host.example'],
    ...['--trusted-proxy', '10.9.8.7/32', '--egress-proxy', '10.9.8.6:3128', '--dns-server', '10.9.8.5'],
  ];
  const run = await lurecheck(['doctor', '--network', 'none', ...args, ...planted, '--bundle', bundle]);
  expect([run.exitCode, run.stderr]).toEqual([0, '']);
  const text = readFileSync(bundle, 'utf8');
  expect(text.toLowerCase()).not.toContain('planted');
  expect(text).not.toContain(key.trim().slice(4));
  expect(text).not.toMatch(/10\.9\.8|example|https?:|\/tmp/);
  expect(statSync(bundle).mode & 0o777).toBe(0o600);
  expect(JSON.parse(text)).toMatchObject({
    version: expect.stringMatching(/^\d/),
    settings_given: expect.arrayContaining(['block_list', 'contact', 'trusted_proxy']),
    findings: expect.arrayContaining([{ name: 'logs', state: 'ok' }]),
  });
  const again = await lurecheck(['doctor', '--network', 'none', ...args, '--bundle', bundle]);
  expect([again.exitCode, again.stderr.includes('already exists')]).toEqual([2, true]);
  expect(readFileSync(bundle, 'utf8')).toBe(text);
});
