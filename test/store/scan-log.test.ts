import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { systemClock } from '#src/base/clock.ts';
import { createLogger } from '#src/base/logger.ts';
import { EVERY_CHECK } from '#src/store/find-checks.ts';
import { type LogAccess, openScanLog } from '#src/store/scan-log.ts';
import { sampleRecord } from './sample-record.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const open = (dataDir: string, access: LogAccess = 'serve') =>
  openScanLog({ dataDir, access, clock: systemClock, logger: createLogger('error', () => {}) });

const FIRST_PAGE = { ...EVERY_CHECK, limit: 50, cursor: null };

test('a public check is in the history, a private one is not', async () => {
  await using directory = temporaryDirectory();
  await using log = await open(directory.path);
  const shown = sampleRecord({ url: 'https://shown.example/a' });
  await Promise.all([
    log.append(shown),
    log.append(sampleRecord({ visibility: 'private', url: 'https://hidden.example/' })),
  ]);
  expect(log.page(FIRST_PAGE)).toEqual({
    items: [
      {
        request_id: shown.result.request_id,
        url: 'https://shown.example/a',
        malicious_probability: 0.02,
        decision: 'allow',
        timestamp: '2026-01-31T12:00:00.000Z',
      },
    ],
    next_cursor: null,
  });
});

test('both logs give back whole results, by id too', async () => {
  await using directory = temporaryDirectory();
  await using log = await open(directory.path);
  for (const visibility of ['public', 'private'] as const) {
    const record = sampleRecord({ visibility, client: '192.0.2.1' });
    await log.append(record);
    const entry = log.find(visibility, record.result.request_id);
    expect(entry?.result).toEqual(record.result);
    expect([...log.read(visibility, EVERY_CHECK)].map(({ result }) => result)).toEqual([record.result]);
    expect(entry?.clientHash === null).toBe(visibility === 'public');
  }
});

test('what was kept is there after a restart', async () => {
  await using directory = temporaryDirectory();
  const record = sampleRecord();
  {
    await using log = await open(directory.path);
    await log.append(record);
  }
  await using log = await open(directory.path);
  expect(log.page(FIRST_PAGE).items.map((item) => item.request_id)).toEqual([record.result.request_id]);
});

test('only this user can read the data directory', async () => {
  await using directory = temporaryDirectory();
  const dataDir = `${directory.path}/data`;
  await using log = await open(dataDir);
  await log.append(sampleRecord());
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(mode(dataDir)).toBe('700');
  for (const file of ['public.sqlite', 'public.sqlite-wal', 'private.sqlite', 'client.key']) {
    expect(`${file} ${mode(`${dataDir}/${file}`)}`).toBe(`${file} 600`);
  }
});

test('a second server is refused, a command beside it is not', async () => {
  await using directory = temporaryDirectory();
  await using server = await open(directory.path);
  await expect(open(directory.path)).rejects.toMatchObject({ code: 'locked' });
  await using beside = await open(directory.path, 'append');
  await Promise.all([server.append(sampleRecord()), beside.append(sampleRecord())]);
  await using reader = await open(directory.path, 'read');
  expect(reader.page(FIRST_PAGE).items).toHaveLength(2);
});

test('to read where there is no log is an error that says so', async () => {
  await using directory = temporaryDirectory();
  await expect(open(directory.path, 'read')).rejects.toMatchObject({ code: 'not_found' });
});
