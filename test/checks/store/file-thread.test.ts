import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { startFileThread } from '#src/checks/store/upkeep/file-thread.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';

test('a thread checkpoints commits and restarts the write-ahead log', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await Promise.all(Array.from({ length: 500 }, () => log.append(sampleRecord())));
  const path = `${directory.path}/public.sqlite`;
  const before = statSync(path).size;
  const header = async () => (await Bun.file(`${path}-wal`).slice(0, 32).bytes()).toHex();
  const headers = [await header()];
  await using thread = startFileThread();
  const { problem, walPages } = await thread.run({ kind: 'checkpoint', path });
  expect(problem).toBeNull();
  expect(walPages).toBeGreaterThan(10);
  expect(statSync(path).size).toBeGreaterThan(before);
  const walBytes = statSync(`${path}-wal`).size;
  headers.push(await header());
  expect((await thread.run({ kind: 'restart', path })).problem).toBeNull();
  headers.push(await header());
  // The thread has written and synced the header of each new log, so that no commit of the serving thread has to.
  expect(new Set(headers).size).toBe(3);
  await log.append(sampleRecord());
  expect(statSync(`${path}-wal`).size).toBe(walBytes);
});

test('reports a file fault as a result, and continues with the next task', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await log.append(sampleRecord());
  await using thread = startFileThread();
  const answers = await Promise.all([
    thread.run({ kind: 'quick_check', path: `${directory.path}/absent.sqlite` }),
    thread.run({ kind: 'quick_check', path: `${directory.path}/public.sqlite` }),
  ]);
  expect(answers[0]).toMatchObject({ problem: expect.stringContaining('absent.sqlite'), code: 'ENOENT' });
  expect(answers[1]).toEqual({ problem: null, code: null, walPages: 0, residue: null, extent: null, rows: null });
});

test('a thread that has ended reports a problem', async () => {
  const thread = startFileThread();
  await thread[Symbol.asyncDispose]();
  const answer = await thread.run({ kind: 'checkpoint', path: '/' });
  expect(answer.problem).not.toBeNull();
  expect(thread.isAlive()).toBe(false);
});
