import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  describeUpgrade,
  isUnfinished,
  type Journal,
  readJournal,
  writeJournal,
} from '#src/parts/host/upgrade/journal.ts';
import { UpgradeError, upgradePaths } from '#src/parts/host/upgrade/upgrade-context.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

const JOURNAL: Journal = {
  format: 1,
  state: 'replacing',
  begun_at: '2026-01-31T00:00:00.000Z',
  from: { version: '1.0.0', sha256: digestOf('old'), schema: 2 },
  to: { version: '1.1.0', sha256: digestOf('new') },
  services: [
    {
      name: 'lurecheck.service',
      data_dir: '/var/lib/lurecheck',
      own: { url: 'https://127.0.0.1:8443', tls: { rejectUnauthorized: false } },
      control: { stop: [['systemctl', 'stop', 'lurecheck.service']], start: [] },
      backup: '/var/lib/lurecheck-1.backup',
    },
    {
      name: 'the service',
      data_dir: '/srv',
      own: { url: 'http://localhost', unix: '/run/a' },
      control: null,
      backup: null,
    },
  ],
  reason: null,
};

test('a written upgrade journal is read back, and an unreadable one stops the upgrade with an error', async () => {
  await using directory = temporaryDirectory();
  const paths = upgradePaths(join(directory.path, 'lurecheck'));
  expect(readJournal(paths)).toBeNull();
  await writeJournal(paths, JOURNAL);
  expect(readJournal(paths)).toEqual(JOURNAL);
  for (const text of [
    '',
    '{',
    '[]',
    JSON.stringify({ ...JOURNAL, format: 2 }),
    JSON.stringify({ ...JOURNAL, to: {} }),
  ]) {
    writeFileSync(paths.journal, text);
    expect(() => readJournal(paths)).toThrow(UpgradeError);
  }
});

test('the status of an upgrade is derived from its journal and its files', async () => {
  await using directory = temporaryDirectory();
  const paths = upgradePaths(join(directory.path, 'lurecheck'));
  mkdirSync(paths.folder);
  const told = async (here: string, changed: Partial<Journal>) => {
    writeFileSync(paths.program, here);
    return (await describeUpgrade({ ...JOURNAL, ...changed }, paths)).split('\n');
  };
  expect(await told('old', {})).toEqual([
    '1.0.0 to 1.1.0, begun on 2026-01-31T00:00:00.000Z: interrupted before it changed anything; start it again',
    `  here     1.0.0, ${paths.program}`,
    `  before   1.0.0, ${paths.previous}`,
    '  backup   /var/lib/lurecheck-1.backup',
    '',
  ]);
  expect((await told('new', {}))[0]).toContain('installed, then interrupted; `lurecheck upgrade` completes it');
  expect((await told('new', { state: 'waiting' }))[0]).toContain('waiting for a restart of the service');
  expect((await told('new', { state: 'upgraded' }))[0]).toEndWith(': done');
  expect((await told('old', { state: 'returning' }))[0]).toContain('rollback interrupted');
  expect((await told('old', { state: 'returned', reason: 'it ends' }))[0]).toEndWith('rolled back: it ends');
  expect((await told('another', { state: 'upgraded' }))[1]).toContain('another version');
  const unfinished = (['replacing', 'waiting', 'returning', 'upgraded', 'returned'] as const).filter((state) =>
    isUnfinished({ ...JOURNAL, state }),
  );
  expect(unfinished).toEqual(['replacing', 'waiting', 'returning']);
});
