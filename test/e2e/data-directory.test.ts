import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** Files that belong to one of SQLite's, and have no life of their own. */
const OF_SQLITE = /-(?:wal|shm|journal)$/;

test('the manual lists every file of a data directory', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path];
  const inDirectory = async (...args: string[]) => {
    const { exitCode, stderr } = await lurecheck([...args, ...data]);
    expect([args, exitCode, exitCode === 0 ? '' : stderr]).toEqual([args, 0, '']);
  };
  await inDirectory('key', 'create', 'office');
  await inDirectory('brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example');
  await inDirectory('lists', 'add', 'ours', 'partner.example', '--action', 'allow');
  const { stdout: version } = await lurecheck(['check', '--network', 'none', '--format', 'json', 'http://a.example/']);
  await inDirectory('model', 'use', JSON.parse(version).analysis_details.model_version);
  await using service = await startService(directory.path);
  for (const isPrivate of [true, false]) await service.result('http://a.example/', isPrivate);
  const feedback = JSON.stringify({ url: 'http://a.example/', verdict: 'malicious' });
  const headers = { 'content-type': 'application/json' };
  const said = await fetch(`${service.url}/api/feedback`, { method: 'POST', headers, body: feedback });
  expect(said.status).toBe(202);
  await service.stop();
  const [, table = ''] =
    /^## What is stored$([\s\S]*?)^## /m.exec(await Bun.file('src/service/manual/privacy.md').text()) ?? [];
  const listed = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[^`, ]+/g) ?? []);
  const names = readdirSync(directory.path).map((name) => name.replace(OF_SQLITE, ''));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !listed.includes(name))).toEqual([]);
});
