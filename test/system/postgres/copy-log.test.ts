import { afterAll, expect, test } from 'bun:test';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { createServerGuards, openSeenTimelines } from '#src/parts/postgres/session/server-guard.ts';
import { copyLog } from '#src/parts/postgres/writers.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { sampleMessage } from '#test/support/sample-message.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

test('a log is copied whole, and once, however often it is copied', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const logger = createLogger('error', () => {});
  const urls = { public: [databases.url('public', 'node')], private: [databases.url('private', 'node')] };
  const status = {
    ...{ name: 'one', version: '1.2.3', run: null, configuration: () => null, clock: systemClock },
    ...{ waiting: () => 0, setAside: () => 0 },
  };
  await using log = await openLocalLog({ dataDir: directory.path, access: 'serve', clock: systemClock, logger });
  for (let n = 0; n < 7; n++) await log.append(sampleRecord({ url: `https://example.com/${n}` }));
  const messages = [sampleMessage(), sampleMessage()];
  for (const message of messages) await log.messages.append(message);
  log.messages.markUndelivered('public', messages[0]?.request_id ?? '');
  await log.messages.append(sampleMessage({ visibility: 'private' }));
  const guard = createServerGuards({ urls, seen: openSeenTimelines(directory.path), logger }).public;
  for (let round = 0; round < 2; round++) {
    expect(await copyLog(log, 'public', { urls: urls.public, guard, status })).toEqual({ checks: 9, refused: 0 });
  }
  const [rows] = await onDatabase(databases.url('public', 'operator'), async ({ sql }) =>
    Array.from<{ n: number }>(await sql.unsafe('select count(*)::int as n from checks')),
  );
  expect(rows).toEqual({ n: 7 });
  await using reader = await openDatabaseLog(databases, `${directory.path}/reader`, { access: 'read' });
  const copied = await Promise.all(messages.map((message) => reader.messages.find('public', message.request_id)));
  const stored = await Promise.all(messages.map((message) => log.messages.find('public', message.request_id)));
  expect(copied).toEqual(stored);
  expect(copied.map((entry) => entry?.isDelivered)).toEqual([false, true]);
});
