import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { filesWith, logsWith } from './files-of.ts';
import { describeLog } from './log-conformance.ts';
import { openLog as open } from './open-log.ts';

const FIRST_PAGE = { ...EVERY_CHECK, limit: 50, cursor: null };

describeLog('SQLite', async (clock = systemClock) => {
  const directory = temporaryDirectory();
  const log = await open(directory.path, { clock });
  return {
    log,
    reader: log,
    async [Symbol.asyncDispose]() {
      await log[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
});

test('stored checks survive a restart', async () => {
  await using directory = temporaryDirectory();
  const record = sampleRecord();
  {
    await using log = await open(directory.path);
    await log.append(record);
  }
  await using log = await open(directory.path);
  expect((await log.page(FIRST_PAGE)).items.map((item) => item.request_id)).toEqual([record.result.request_id]);
});

test('only this user can read the data directory', async () => {
  await using directory = temporaryDirectory();
  const dataDir = `${directory.path}/data`;
  await using log = await open(dataDir);
  await log.append(sampleRecord());
  await log.append(sampleRecord({ visibility: 'private', client: '192.0.2.1' }));
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(mode(dataDir)).toBe('700');
  for (const file of [
    'public.sqlite',
    'public.sqlite-wal',
    'private.sqlite',
    'client.key',
    'serve.lock',
    'serve.running',
  ]) {
    expect(`${file} ${mode(`${dataDir}/${file}`)}`).toBe(`${file} 600`);
  }
});

test('refuses a second server, but not a command beside it', async () => {
  await using directory = temporaryDirectory();
  await using server = await open(directory.path);
  await expect(open(directory.path)).rejects.toMatchObject({ code: 'locked' });
  await using beside = await open(directory.path, { access: 'append' });
  await Promise.all([server.append(sampleRecord()), beside.append(sampleRecord())]);
  await using reader = await open(directory.path, { access: 'read' });
  expect((await reader.page(FIRST_PAGE)).items).toHaveLength(2);
});

test('reports a missing log to a reader', async () => {
  await using directory = temporaryDirectory();
  await expect(open(directory.path, { access: 'read' })).rejects.toMatchObject({ code: 'not_found' });
});

test('the private log stores a keyed hash of the client, the public log nothing', async () => {
  await using directory = temporaryDirectory();
  await using elsewhere = temporaryDirectory();
  await using log = await open(directory.path);
  await using other = await open(elsewhere.path);
  const client = '198.51.100.77';
  const hashes = await Promise.all(
    [log, log, other].map(async (kept) => {
      const record = sampleRecord({ visibility: 'private', client });
      await kept.append(record);
      return (await kept.find('private', record.result.request_id))?.clientHash;
    }),
  );
  await log.append(sampleRecord({ client }));
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(hashes[1]).toBe(hashes[0]);
  expect(hashes[2]).not.toBe(hashes[0]);
  expect(filesWith(directory.path, client)).toEqual([]);
});

test('a private check is in no file but the private log, before and after a stop', async () => {
  await using directory = temporaryDirectory();
  const word = 'zx81qqprivate';
  {
    await using log = await open(directory.path);
    await log.append(
      sampleRecord({ visibility: 'private', url: `https://${word}.example/`, result: { decision: 'block' } }),
    );
    await log.append(sampleRecord());
    await log.stats();
    expect(filesWith(directory.path, word).filter((name) => !name.startsWith('private.sqlite'))).toEqual([]);
    log.backUp('public', `${directory.path}/copy.backup`);
  }
  expect(filesWith(directory.path, word)).toEqual(['private.sqlite']);
});

test('a backup is intact, private, and never replaces a file', async () => {
  await using directory = temporaryDirectory();
  await using log = await open(directory.path);
  for (let i = 0; i < 200; i++) void log.append(sampleRecord({ atMs: i }));
  await log.append(sampleRecord());
  const path = `${directory.path}/public.backup`;
  log.backUp('public', path);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect(() => log.backUp('public', path)).toThrow('already exists');
  using copy = new Database(path, { readonly: true });
  expect(copy.query('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(copy.query('select count(*) as checks from checks').get()).toEqual({ checks: 201 });
});

test('a closing log refuses new checks and stores accepted ones', async () => {
  await using directory = temporaryDirectory();
  const log = await open(directory.path);
  const accepted = Array.from({ length: 10 }, () => log.append(sampleRecord()));
  const closed = log[Symbol.asyncDispose]();
  await expect(log.append(sampleRecord())).rejects.toMatchObject({ code: 'stopping' });
  await Promise.all([...accepted, closed]);
  await using again = await open(directory.path, { access: 'read' });
  expect((await again.page(FIRST_PAGE)).items).toHaveLength(10);
});

test('a record that cannot be stored does not affect others of its batch', async () => {
  await using directory = temporaryDirectory();
  await using log = await open(directory.path);
  const twice = sampleRecord();
  const outcomes = await Promise.allSettled(
    [sampleRecord(), twice, twice, sampleRecord()].map((record) => log.append(record)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect((await log.page(FIRST_PAGE)).items).toHaveLength(3);
});

test.each(['serve', 'append', 'read'] as const)(
  'an unusable data directory is reported with its path: %s',
  async (access) => {
    await using directory = temporaryDirectory();
    writeFileSync(`${directory.path}/file`, '');
    const dataDir = `${directory.path}/file/data`;
    const code = 'not_accessible';
    await expect(open(dataDir, { access })).rejects.toMatchObject({ code, message: expect.stringContaining(dataDir) });
  },
);

test('reports a directory at the path of a log with its file name', async () => {
  await using directory = temporaryDirectory();
  mkdirSync(`${directory.path}/private.sqlite`);
  await expect(open(directory.path)).rejects.toMatchObject({
    code: 'not_accessible',
    message: expect.stringContaining('private.sqlite'),
  });
});

test('no secret of a public check and no password of a private one reaches a file', async () => {
  await using directory = temporaryDirectory();
  await using log = await open(directory.path);
  const title = 'Reset for jane.doe@mail.example with zxcode4711';
  const url = 'https://jane:zxpassword1@example.com/reset?token=zxcode4711&to=jane.doe%40mail.example';
  const secrets = ['zxcode4711', 'zxpassword1', 'jane.doe@mail.example', 'jane.doe%40mail.example'];
  await log.append(sampleRecord({ url, details: { page: { title, forms: [] } } }));
  for (const secret of secrets) expect(filesWith(directory.path, secret)).toEqual([]);
  await log.append(sampleRecord({ url, visibility: 'private', details: { page: { title, forms: [] } } }));
  expect(filesWith(directory.path, 'zxpassword1')).toEqual([]);
  expect(logsWith(directory.path, 'zxcode4711')).toEqual(['private.sqlite']);
});

test('a failure to store a private check is logged once, without the check', async () => {
  await using directory = temporaryDirectory();
  const lines: string[] = [];
  const logger = createLogger('debug', (line) => void lines.push(line));
  await using log = await open(directory.path, { logger });
  const record = sampleRecord({ visibility: 'private', url: 'https://zx81qqhidden.example/', client: '192.0.2.1' });
  await log.append(record);
  for (let i = 0; i < 3; i++) {
    const error: unknown = await log.append(record).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'log_unavailable' });
    expect(Bun.inspect(error)).not.toContain('zx81qqhidden');
  }
  await log.append(sampleRecord({ visibility: 'private' }));
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['log.append_failed', 'log.append_recovered']);
  expect(lines.join('')).not.toContain('zx81qqhidden');
});
