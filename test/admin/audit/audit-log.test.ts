import { expect, test } from 'bun:test';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendAudit, audited, auditFileIn, auditHeadIn } from '#src/admin/audit/audit-log.ts';
import { type AuditEntry, readAudit } from '#src/admin/audit/read-audit.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ACTOR = { user: 'alice', uid: 1000, as: 0 };

function read(dataDir: string) {
  const entries: AuditEntry[] = [];
  const head = JSON.parse(readFileSync(auditHeadIn(dataDir), 'utf8'));
  return { ...readAudit(readFileSync(auditFileIn(dataDir), 'utf8'), head, (entry) => entries.push(entry)), entries };
}

function written(dataDir: string, lines: number): void {
  for (let line = 1; line <= lines; line++) appendAudit(dataDir, ACTOR, { action: 'key.create', subject: `k${line}` });
}

test('records who did what, each line with the hash of the one before', async () => {
  await using directory = temporaryDirectory();
  written(directory.path, 3);
  const { entries, problem, lines } = read(directory.path);
  expect([problem, lines]).toEqual([null, 3]);
  expect(entries[0]).toMatchObject({ seq: 1, by: ACTOR, action: 'key.create', subject: 'k1', prev: '0'.repeat(64) });
  expect(new Set(entries.map(({ prev }) => prev)).size).toBe(3);
});

test.each<[string, (log: string[]) => string[]]>([
  ['changed', ([one = '', ...rest]) => [one.replace('k1', 'k9'), ...rest]],
  ['changed last', (log) => log.with(-1, (log.at(-1) ?? '').replace('k4', 'k9'))],
  ['removed', (log) => log.toSpliced(1, 1)],
  ['moved', ([one = '', two = '', ...rest]) => [two, one, ...rest]],
  ['removed at the end', (log) => log.slice(0, -1)],
  ['doubled', (log) => [...log, log.at(-1) ?? '']],
  ['replaced by words', (log) => log.with(2, 'well')],
])('sees a line that is %s, and appends nothing to it', async (_, damage) => {
  await using directory = temporaryDirectory();
  written(directory.path, 4);
  const path = auditFileIn(directory.path);
  const text = `${damage(readFileSync(path, 'utf8').trim().split('\n')).join('\n')}\n`;
  writeFileSync(path, text);
  expect(read(directory.path).problem).not.toBeNull();
  let isMade = false;
  const change = () =>
    audited(directory.path, ACTOR, { action: 'key.revoke', subject: 'k1' }, () => {
      isMade = true;
    });
  expect(change).toThrow('is damaged, so nothing was changed');
  expect([isMade, readFileSync(path, 'utf8')]).toEqual([false, text]);
});

test('goes on where a process was killed before it had counted its line, or written all of it', async () => {
  await using directory = temporaryDirectory();
  written(directory.path, 2);
  const head = readFileSync(auditHeadIn(directory.path));
  written(directory.path, 1);
  writeFileSync(auditHeadIn(directory.path), head);
  expect(read(directory.path)).toMatchObject({ lines: 3, problem: null });
  appendFileSync(auditFileIn(directory.path), '{"seq":4,"at":"2026');
  expect(read(directory.path)).toMatchObject({ lines: 3, problem: null });
  written(directory.path, 1);
  expect(read(directory.path)).toMatchObject({ lines: 4, problem: null });
});

test('does not begin anew where one of its two files is gone', async () => {
  for (const file of [auditFileIn, auditHeadIn]) {
    await using directory = temporaryDirectory();
    written(directory.path, 2);
    rmSync(file(directory.path));
    expect(() => written(directory.path, 1)).toThrow('is damaged');
  }
});

test('records a change that failed as such', async () => {
  await using directory = temporaryDirectory();
  const what = { action: 'lists.import', subject: 'feed' };
  const fail = () => Promise.reject(new Error('no room'));
  await expect(audited(directory.path, ACTOR, what, fail)).rejects.toThrow('no room');
  expect(read(directory.path).entries.map(({ action }) => action)).toEqual(['lists.import', 'lists.import.failed']);
});

test('loses no line of several processes that write at once', async () => {
  await using directory = temporaryDirectory();
  const script = `${import.meta.dir}/append-lines.ts`;
  const writers = Array.from({ length: 4 }, () => Bun.spawn([process.execPath, script, directory.path, '25']));
  expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
  expect(read(directory.path)).toMatchObject({ lines: 100, problem: null });
});
