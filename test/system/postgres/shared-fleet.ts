import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { showDatabaseUrl } from '#src/checks/store/database-url.ts';
import { makeDatabases, type PostgresServer } from '#test/support/postgres.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** Makes the databases and the client key of a fleet, and the flags by which a command belongs to it. */
export async function openFleet(server: PostgresServer) {
  const folders = new AsyncDisposableStack();
  const folder = () => folders.use(temporaryDirectory()).path;
  const databases = await makeDatabases(server);
  const keyFile = join(folder(), 'client.key');
  await Bun.write(keyFile, randomBytes(32));
  return {
    databases,
    /** A new folder, gone with the fleet. */
    folder,
    flagsOf: (role: 'node' | 'operator') => [
      ...['--log-database', showDatabaseUrl(databases.url('public', role))],
      ...['--log-database-private', showDatabaseUrl(databases.url('private', role))],
      ...['--client-key-file', keyFile],
    ],
    [Symbol.asyncDispose]: () => folders.disposeAsync(),
  };
}
