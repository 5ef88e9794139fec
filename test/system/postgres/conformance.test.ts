import { afterAll } from 'bun:test';
import { systemClock } from '#src/core/base/clock.ts';
import { describeLog } from '#test/checks/store/log-conformance.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

describeLog('PostgreSQL', async (clock = systemClock) => {
  await using opened = new AsyncDisposableStack();
  const directory = opened.use(temporaryDirectory());
  const databases = await makeDatabases(server);
  const reader = opened.use(await openDatabaseLog(databases, directory.path, { clock, access: 'read' }));
  const log = opened.use(await openDatabaseLog(databases, directory.path, { clock }));
  const closing = opened.move();
  return { log, reader, [Symbol.asyncDispose]: () => closing.disposeAsync() };
});
