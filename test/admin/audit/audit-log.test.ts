import { expect, test } from 'bun:test';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendAudit, audited, auditFileIn, auditHeadIn, examineAuditEnd } from '#src/admin/audit/audit-log.ts';
import { type AuditEntry, hashOf, readAudit } from '#src/admin/audit/read-audit.ts';
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

test('records who did what, each line with the hash of the previous one', async () => {
  await using directory = temporaryDirectory();
  written(directory.path, 3);
  const { entries, problem, lines } = read(directory.path);
  expect([problem, lines]).toEqual([null, 3]);
  expect(entries[0]).toMatchObject({ seq: 1, by: ACTOR, action: 'key.create', subject: 'k1', prev: '0'.repeat(64) });
  expect(new Set(entries.map(({ prev }) => prev)).size).toBe(3);
});

test('is not damaged by a disk with room for a line and not for the head', async () => {
  await using directory = temporaryDirectory();
  written(directory.path, 2);
  mkdirSync(`${auditHeadIn(directory.path)}.new`);
  for (let attempt = 0; attempt < 3; attempt++) expect(() => written(directory.path, 1)).toThrow();
  expect(read(directory.path)).toMatchObject({ problem: null, lines: 2 });
  rmSync(`${auditHeadIn(directory.path)}.new`, { recursive: true });
  written(directory.path, 1);
  expect(read(directory.path)).toMatchObject({ problem: null, lines: 3 });
});

test('counts a line that a killed process left uncounted before it appends another', async () => {
  await using directory = temporaryDirectory();
  written(directory.path, 2);
  const head = readFileSync(auditHeadIn(directory.path));
  written(directory.path, 1);
  writeFileSync(auditHeadIn(directory.path), head);
  mkdirSync(`${auditHeadIn(directory.path)}.new`);
  expect(() => written(directory.path, 1)).toThrow();
  expect(read(directory.path)).toMatchObject({ problem: null, lines: 3 });
});

type Damage = (log: string[]) => string[];

/** Rewrites the audit log of a data directory; returns its new text. */
function damaged(dataDir: string, damage: Damage): string {
  const path = auditFileIn(dataDir);
  const text = `${damage(readFileSync(path, 'utf8').trim().split('\n')).join('\n')}\n`;
  writeFileSync(path, text);
  return text;
}

test.each<[string, Damage]>([
  ['changed', ([one = '', ...rest]) => [one.replace('k1', 'k9'), ...rest]],
  ['removed', (log) => log.toSpliced(1, 1)],
  ['doubled', (log) => [...log, log.at(-1) ?? '']],
  ['moved', ([one = '', two = '', ...rest]) => [two, one, ...rest]],
  ['replaced by words', (log) => log.with(2, 'well')],
])('detects a line that is %s, also after more lines are appended', async (_, damage) => {
  await using directory = temporaryDirectory();
  written(directory.path, 4);
  damaged(directory.path, damage);
  const { problem } = read(directory.path);
  expect(problem).not.toBeNull();
  written(directory.path, 1);
  expect(read(directory.path).problem).toBe(problem);
});

test.each<[string, Damage]>([
  ['changed', (log) => log.with(-1, (log.at(-1) ?? '').replace('k4', 'k9'))],
  ['removed', (log) => log.slice(0, -1)],
  ['replaced by words', (log) => log.with(3, 'well')],
  ['followed by another', (log) => [...log, (log.at(-1) ?? '').replace('"seq":4', '"seq":5')]],
])('detects a last line that is %s, and leaves the file as it is', async (_, damage) => {
  await using directory = temporaryDirectory();
  written(directory.path, 4);
  const path = auditFileIn(directory.path);
  const text = `${damaged(directory.path, damage)}{"seq":`;
  writeFileSync(path, text);
  expect(read(directory.path).problem).not.toBeNull();
  expect(() => examineAuditEnd(directory.path)).toThrow('is damaged');
  let isMade = false;
  const change = () =>
    audited(directory.path, ACTOR, { action: 'key.revoke', subject: 'k1' }, () => {
      isMade = true;
    });
  expect(change).toThrow('is damaged, so changes are refused');
  expect([isMade, readFileSync(path, 'utf8')]).toEqual([false, text]);
});

test('continues after a process was killed before it counted its line or wrote all of it', async () => {
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

test('refuses to start a new log if one of its two files is missing', async () => {
  for (const file of [auditFileIn, auditHeadIn]) {
    await using directory = temporaryDirectory();
    written(directory.path, 2);
    rmSync(file(directory.path));
    expect(() => written(directory.path, 1)).toThrow('is damaged');
  }
});

test('records a failed change as failed', async () => {
  await using directory = temporaryDirectory();
  const what = { action: 'lists.import', subject: 'feed' };
  const fail = () => Promise.reject(new Error('no room'));
  await expect(audited(directory.path, ACTOR, what, fail)).rejects.toThrow('no room');
  expect(read(directory.path).entries.map(({ action }) => action)).toEqual(['lists.import', 'lists.import.failed']);
});

/** Bytes that this process has read from files, by proc(5). */
const bytesRead = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);

test('reads a bounded number of bytes per entry, however long the log is', async () => {
  await using directory = temporaryDirectory();
  written(directory.path, 1);
  const path = auditFileIn(directory.path);
  const [line = ''] = readFileSync(path, 'utf8').trim().split('\n');
  let last = hashOf(line);
  const more: string[] = [];
  for (let seq = 2; seq <= 20_000; seq++) {
    const next = JSON.stringify({ ...JSON.parse(line), seq, prev: last });
    more.push(next);
    last = hashOf(next);
  }
  appendFileSync(path, `${more.join('\n')}\n`);
  writeFileSync(auditHeadIn(directory.path), JSON.stringify({ lines: 20_000, last }));
  const before = bytesRead();
  written(directory.path, 1);
  expect(bytesRead() - before).toBeLessThan(200_000);
  expect(read(directory.path)).toMatchObject({ lines: 20_001, problem: null });
});

test('continues after a line that is longer than one read', async () => {
  await using directory = temporaryDirectory();
  written(directory.path, 1);
  appendAudit(directory.path, ACTOR, { action: 'lists.add', subject: 'x'.repeat(300_000) });
  written(directory.path, 1);
  expect(read(directory.path)).toMatchObject({ lines: 3, problem: null });
});

test('loses no line when several processes write concurrently', async () => {
  await using directory = temporaryDirectory();
  const script = `${import.meta.dir}/append-lines.ts`;
  const writers = Array.from({ length: 4 }, () => Bun.spawn([process.execPath, script, directory.path, '25']));
  expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
  expect(read(directory.path)).toMatchObject({ lines: 100, problem: null });
});
