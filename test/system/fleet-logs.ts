import { expect } from 'bun:test';
import type { Visibility } from '#src/core/base/visibility.ts';
import { DATABASE_ROLES } from '#src/checks/store/postgres/schema/database-roles.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { readLog } from '../soak/read-logs.ts';

/** Where the nodes of a fleet keep their logs. */
export interface FleetLogs extends AsyncDisposable {
  /** What each node is started with. */
  readonly flags: readonly string[];
  /** Whether all nodes show one history. */
  readonly isOne: boolean;
  /** Lets whatever the nodes share for their logs hang, and go on. */
  pause(): void;
  resume(): void;
  /** The ids of the public checks that are logged, once the nodes have ended. */
  logged(): Promise<readonly string[]>;
}

/** In the folder of each node. */
export function logsInFiles(folders: readonly string[]): Promise<FleetLogs> {
  return Promise.resolve({
    flags: [],
    isOne: false,
    pause() {},
    resume() {},
    logged() {
      const logs = folders.map((folder) => readLog(folder, 'public'));
      expect(logs.flatMap(({ problems }) => problems)).toEqual([]);
      return Promise.resolve(logs.flatMap(({ rows }) => rows.map(({ requestId }) => requestId)));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

/** In a PostgreSQL for all of them. */
export async function logsInDatabase(): Promise<FleetLogs> {
  const server = await startPostgres();
  const databases = await makeDatabases(server);
  const url = (visibility: Visibility) => server.url(DATABASE_ROLES[visibility].node, databases[visibility]);
  return {
    flags: ['--log-database', url('public'), '--log-database-private', url('private')],
    isOne: true,
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    async logged() {
      await using admin = server.connect(databases.public);
      const rows: { id: string }[] = await admin.unsafe('select request_id::text as id from checks');
      return rows.map(({ id }) => id);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
