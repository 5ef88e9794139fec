import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('the audit log records each change with the real user, and detects truncation', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const environment = { USER: 'mallory', LOGNAME: 'mallory', SUDO_UID: '2', SUDO_USER: 'mallory' };
  const run = (...args: string[]) => lurecheck([...args, '--data-dir', dataDir], { environment });
  await run('key', 'create', 'soc');
  await run('key', 'create', 'soc');
  await run('key', 'revoke', 'soc');
  await run('lists', 'add', 'ours', 'evil.example');
  await run('lists', 'rollback', 'ours');
  await run('brand', 'add', 'Nord', '--domain', 'nord.example');
  await run('model', 'use', 'shipped');
  await run('check', 'https://a.example/', '--record', 'private', '--network', 'none');
  await run('log', 'export', '--private', '--format', 'csv');
  await run('history', 'delete', '--private', '--domain', 'a.example', '--yes');
  const shown = await run('audit', 'show', '--format', 'ndjson');
  const entries = shown.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries.map(({ action }) => action)).toEqual([
    ...['key.create', 'key.revoke', 'lists.add', 'lists.rollback', 'brand.add', 'model.use'],
    ...['log.export', 'history.delete'],
  ]);
  const [name] = /^[^:]+(?=:[^:]*:2:)/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? ['2'];
  for (const { by } of entries) expect(by).toMatchObject({ user: name, uid: 2 });
  expect(shown.stdout).not.toContain('mallory');
  expect(shown.stdout).not.toContain('a.example/');
  expect(await run('audit', 'verify')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('8 lines, intact'),
  });

  const path = join(dataDir, 'audit.log');
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.toSpliced(-2, 1).join('\n'));
  const cut = await run('audit', 'verify');
  expect([cut.exitCode, cut.stderr]).toEqual([1, expect.stringContaining('is cut short: it has 7 of 8 lines')]);
  const refused = await run('key', 'create', 'other');
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('so changes are refused')]);
  expect((await run('key', 'list')).stdout).toBe('no keys\n');
});

test('the audit log records feedback with the name of its key', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  const dataDir = ['--data-dir', directory.path];
  const key = (await lurecheck(['key', 'create', 'soc', '--scope', 'feedback', ...dataDir])).stdout.trim();
  const give = async (url: string, headers: Record<string, string>) => {
    const body = JSON.stringify({ url, verdict: 'malicious' });
    const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    expect((await fetch(`${service.url}/api/feedback`, sent)).status).toBe(202);
  };
  await give('https://evil.example/?token=s3cr3t', { authorization: `Bearer ${key}` });
  await give('https://other.example/', {});
  expect(await service.stop()).toBe(0);
  const { stdout } = await lurecheck(['audit', 'show', '--format', 'ndjson', ...dataDir]);
  const entries = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries.map(({ action }) => action)).toEqual(['key.create', 'feedback.give']);
  expect(entries[1]).toMatchObject({ by: { key: 'soc' }, subject: 'evil.example', detail: { verdict: 'malicious' } });
  expect(stdout).not.toContain('s3cr3t');
  expect((await lurecheck(['audit', 'verify', ...dataDir])).exitCode).toBe(0);
});
