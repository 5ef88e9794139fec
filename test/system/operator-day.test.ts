import { expect, test } from 'bun:test';
import { chmodSync, cpSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { bootAndLook } from './booted-system.ts';
import { makeReleases } from './two-releases.ts';

const ROOT = join(import.meta.dir, '../..');

/** What the release before had logged. */
const RESTORED = [
  'http://paypal-login.verify-account.cyou/signin',
  'https://example.com/path?a=1',
  'https://xn--bcher-kva.example/',
];

test('an operator’s day: install, scrape, key, batch, export, full disk, backup and failed upgrade lose no check', async () => {
  await using machine = temporaryDirectory();
  await using outside = temporaryDirectory();
  await using made = temporaryDirectory();
  chmodSync(outside.path, 0o755);
  const previous = await Bun.file(join(ROOT, 'test/checks/store/released/0.2.0.backup.zst')).bytes();
  await Bun.write(join(outside.path, 'previous.backup'), Bun.zstdDecompressSync(previous));
  // The next one migrates the logs, and then ends.
  const releases = await makeReleases(made.path);
  cpSync(dirname(releases.archive('1.2.0')), join(outside.path, 'stick'), { recursive: true });
  const next = `/outside/stick/${basename(releases.archive('1.2.0'))}`;
  const look = `cd /source && exec /opt/bun test/system/operator-day-inside.ts /outside/previous.backup ${next}`;
  const lines = await bootAndLook(machine.path, {}, look, {
    program: releases.program('1.0.0'),
    options: [
      ...[`--bind-ro=${ROOT}:/source`, `--bind-ro=${process.execPath}:/opt/bun`, `--bind-ro=${outside.path}:/outside`],
      '--tmpfs=/var/lib/lurecheck:size=96m,mode=755',
    ],
  });
  const allThere = { missing: [], twice: 0 };
  expect(JSON.parse(lines.join('\n'))).toEqual({
    install: { status: 0, data: '/var/lib/lurecheck', restored: RESTORED },
    scrape: { before: 0, after: 2, up: 1 },
    batch: { exitCode: 0, lines: 5000, bad: 50, books: allThere },
    // Those of the batch, and the one of the release before.
    export: { indicators: 51, urls: 51, misp: 51 },
    disk: { full: { check: 503, ready: 503 }, alive: 200, ready: 200, books: allThere },
    backup: { exitCode: 0, holds: true, private: '2' },
    upgrade: { exitCode: 1, version: '1.0.0', status: 0, untold: 0, lost_of_before: 0, twice: 0, foreign: [] },
    night: { private: 2, selftest: 0, is_small_disk: true },
  });
});
