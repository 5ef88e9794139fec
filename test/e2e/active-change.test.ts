import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

test('a change is reported as active only after the running service has applied it', async () => {
  await using directory = temporaryDirectory();
  const dataDir = ['--data-dir', directory.path];
  await using service = await startService(directory.path);
  const made = await lurecheck(['key', 'create', 'soc', ...dataDir]);
  expect([made.exitCode, made.stderr]).toEqual([0, expect.stringContaining('soc is created: active in the running')]);
  const headers = { authorization: `Bearer ${made.stdout.trim()}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: 'https://evil.example/' });
  const check = () => fetch(`${service.url}/api/check-url`, { method: 'POST', headers, body });
  expect((await check()).status).toBe(200);
  const listed = await lurecheck(['lists', 'add', 'ours', 'evil.example', ...dataDir]);
  expect(listed.stderr).toContain('ours is changed: active in the running service');
  expect(await (await check()).json()).toMatchObject({ decision: 'block' });
  const shown = async (...args: string[]) => (await lurecheck([...args, ...dataDir])).stderr;
  expect(await shown('key', 'list')).toBe('lurecheck: the keys: active in the running service\n');
  expect(await shown('lists', 'show')).toBe('lurecheck: the lists: active in the running service\n');
  expect(await shown('lists', 'show', 'ours')).toBe('lurecheck: the lists: active in the running service\n');
  const examined = async () => (await lurecheck(['doctor', '--network', 'none', ...dataDir])).stdout;
  expect(await examined()).toContain(`is running as process ${service.pid}.`);
  const keys = readFileSync(join(directory.path, 'keys.json'));
  writeFileSync(join(directory.path, 'keys.json'), '{"');
  await untilSeen('the damage', async () => (await examined()).includes('The service refuses its file of keys: '));
  writeFileSync(join(directory.path, 'keys.json'), keys);
  await untilSeen('the keys', async () => (await shown('key', 'list')).includes('active in the running'));
  await service.stop();
  expect(await shown('key', 'list')).toContain('the keys: not active: no service is running on');
  expect(await examined()).toContain('No running service on');
  const revoked = await lurecheck(['key', 'revoke', 'soc', ...dataDir]);
  expect(revoked.stderr).toContain('soc is revoked: no service is running on');
  expect(revoked.stderr).not.toContain('active');
});

test('a command that makes changes does not create the default data directory', async () => {
  await using directory = temporaryDirectory();
  const cwd = directory.path;
  for (const args of [
    ['key', 'create', 'soc'],
    ['lists', 'add', 'ours', 'evil.example'],
    ['brand', 'add', 'Nord', '--domain', 'nord.example'],
    ['model', 'use', 'shipped'],
    ['feedback', 'accept', '1'],
  ]) {
    const { exitCode, stderr, stdout } = await lurecheck(args, { cwd });
    expect([args, exitCode, stdout]).toEqual([args, 2, '']);
    expect(stderr).toContain('data directory not found: ./data');
  }
  expect(await Array.fromAsync(new Bun.Glob('**').scan(cwd))).toEqual([]);
  expect((await lurecheck(['key', 'create', 'soc', '--data-dir', join(cwd, 'own')])).exitCode).toBe(0);
  expect((await lurecheck(['key', 'create', 'soc', '--data-dir', 'data'], { cwd })).exitCode).toBe(0);
  expect((await lurecheck(['key', 'create', 'other'], { cwd })).exitCode).toBe(0);
});
