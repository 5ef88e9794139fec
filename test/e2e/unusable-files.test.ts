import { expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

/** Files of the data directory, and what everybody may know of one that cannot be used. */
const FILES = [
  ['keys', 'keys.json', 'The keys cannot be read: no key is accepted.'],
  ['lists', 'lists/in-force.json', 'The lists cannot be read: none is active.'],
  ['brands', 'brands.json', 'The configured brands cannot be read: none is active.'],
  ['model', 'models/in-force.json', 'The selected model cannot be used: the built-in one is active.'],
  ['packs', 'packs/in-force.json', 'Nobody can tell which packs are in force.'],
] as const;

/** What makes a file unusable. A folder in its place is unreadable for root, too. */
const FAULTS: readonly (readonly [string, (path: string) => void])[] = [
  ['damaged', (path) => writeFileSync(path, '{"')],
  ['unreadable', (path) => mkdirSync(path)],
];

test.each(
  FILES.flatMap(([file, path, notice]) => FAULTS.map(([what, spoil]) => ({ file, path, notice, what, spoil }))),
)('a service starts without its $what file of $file, and reports that', async ({ file, path, notice, spoil }) => {
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
  if (file !== 'packs') {
    const told = service.events().filter(({ event }) => event === 'file.unusable');
    expect(told).toEqual([expect.objectContaining({ file, problem: expect.stringContaining(spoilt) })]);
  }
  rmSync(spoilt, { recursive: true });
  await untilSeen('the file is usable', async () => {
    const { notices } = (await (await fetch(`${service.url}/readyz`)).json()) as { notices: string[] };
    return notices.length === 0;
  });
});
