import { expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { createLogState } from '#src/checks/store/write/log-state.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { breakRoot } from './break-root.ts';
import { openLog } from './open-log.ts';

const FIRST_PAGE = { ...EVERY_CHECK, limit: 50, cursor: null };
const REFUSAL = { code: 'log_unavailable' };

/** What health says, and whether a check of each visibility is kept. */
async function ask(log: ScanLog): Promise<unknown> {
  const { problem } = await log.health();
  const keeps = async (visibility: 'public' | 'private') =>
    await log.append(sampleRecord({ visibility })).then(
      () => true,
      () => false,
    );
  return { problem, public: await keeps('public'), private: await keeps('private') };
}

const HEALTHY = { problem: null, public: true, private: true };

test('a writable log is healthy, even before its first check', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  expect(await ask(log)).toEqual(HEALTHY);
  expect((await log.page(FIRST_PAGE)).items).toHaveLength(1);
});

test.each(['public', 'private'] as const)(
  'a %s log that is moved away stores nothing, and continues once it is back',
  async (visibility) => {
    await using directory = temporaryDirectory();
    await using log = await openLog(directory.path);
    const path = `${directory.path}/${visibility}.sqlite`;
    await log.append(sampleRecord({ visibility }));
    renameSync(path, `${path}.away`);
    const problem = `The ${visibility} log cannot be written: its file was removed.`;
    expect(await ask(log)).toEqual({ ...HEALTHY, problem, [visibility]: false });
    renameSync(`${path}.away`, path);
    expect(await ask(log)).toEqual(HEALTHY);
    expect(await Array.fromAsync(log.read(visibility, EVERY_CHECK))).toHaveLength(2);
  },
);

test.each([
  ['deleted', (path: string) => rmSync(path)],
  [
    'replaced',
    (path: string) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
  ['emptied', (path: string) => truncateSync(path)],
  ['robbed of its write-ahead log', (path: string) => rmSync(`${path}-wal`)],
])('checks are refused while the log of a running server is %s', async (_, harm) => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await log.append(sampleRecord());
  harm(`${directory.path}/public.sqlite`);
  expect(await ask(log)).toMatchObject({
    problem: expect.stringContaining('was removed'),
    public: false,
    private: true,
  });
});

test('reports a folder that is deleted under a running server', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await log.append(sampleRecord());
  rmSync(directory.path, { recursive: true });
  const problem = 'The public log cannot be written: its file was removed.';
  expect(await ask(log)).toEqual({ problem, public: false, private: false });
});

test.each(['a check', 'a reader'])('damage that %s encounters is logged once, and checks go on', async (who) => {
  await using directory = temporaryDirectory();
  {
    await using log = await openLog(directory.path);
    await Promise.all(Array.from({ length: 200 }, () => log.append(sampleRecord())));
  }
  breakRoot(`${directory.path}/public.sqlite`, 'checks_by_decision');
  const lines: string[] = [];
  await using log = await openLog(directory.path, { logger: createLogger('error', (line) => lines.push(line)) });
  if (who === 'a check') await log.append(sampleRecord());
  else await expect(log.page(FIRST_PAGE)).rejects.toThrow('cannot be read');
  for (let i = 0; i < 3; i++) expect(await ask(log)).toEqual(HEALTHY);
  await log.examine('public');
  expect(lines.filter((line) => line.includes('"log.damaged"'))).toHaveLength(1);
  expect(await Array.fromAsync(log.read('public', EVERY_CHECK))).toHaveLength(who === 'a check' ? 204 : 203);
  expect((await log.health()).notices).toMatchObject([{ text: 'The public log was damaged and is complete again.' }]);
});

test('a damaged log refuses checks while it cannot be replaced', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await Promise.all(Array.from({ length: 200 }, () => log.append(sampleRecord())));
  breakRoot(`${directory.path}/public.sqlite`, 'checks_by_decision');
  const obstacle = `${directory.path}/public.sqlite.new-${process.pid}`;
  mkdirSync(`${obstacle}/x`, { recursive: true });
  await expect(log.page(FIRST_PAGE)).rejects.toThrow('cannot be read');
  const problem = 'The public log cannot be written: its file is damaged, and the service has not replaced it yet.';
  expect(await ask(log)).toEqual({ problem, public: false, private: true });
  rmSync(obstacle, { recursive: true });
  expect(await ask(log)).toEqual(HEALTHY);
});

test('a record that cannot be stored does not make the log unhealthy', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const record = sampleRecord();
  await log.append(record);
  await expect(log.append(record)).rejects.toMatchObject(REFUSAL);
  expect((await log.health()).problem).toBeNull();
});

test('a log is doubtful before its first write, one second after a failure, and after 30 seconds without a write', () => {
  let nowMs = 0;
  const state = createLogState({ visibility: 'public', path: '/log', isInPlace: () => true }, () => false, {
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
    logger: createLogger('error', () => {}),
    onDamage: () => {},
  });
  const doubtfulAfter = (ms: number) => {
    nowMs += ms;
    return state.isDoubtful();
  };
  expect(state.isDoubtful()).toBe(true);
  state.worked();
  expect([doubtfulAfter(29_999), doubtfulAfter(1)]).toEqual([false, true]);
  state.failed(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' }));
  expect(state.problem()).toBe('the disk reports an error');
  expect([doubtfulAfter(999), doubtfulAfter(1)]).toEqual([false, true]);
  state.worked();
  expect(state.problem()).toBeNull();
});
