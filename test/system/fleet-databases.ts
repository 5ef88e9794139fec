import type { Visibility } from '#src/core/base/visibility.ts';
import { DATABASE_ROLES } from '#src/parts/postgres/schema/migrate-database.ts';
import { makeDatabases, type PostgresServer, startPostgres } from '#test/support/postgres.ts';

/** A PostgreSQL with both databases and a standby, which has every check before its primary says that it is kept. */
export interface ReplicatedDatabases extends AsyncDisposable {
  /** What each node is started with: both servers, the primary first. */
  readonly flags: readonly string[];
  /** Lets the primary hang, and go on. */
  pause(): void;
  resume(): void;
  /** Ends the primary as an operator does, and starts it again. */
  restart(): Promise<void>;
  /** Locks what the nodes count for so long. */
  lockStatistics(ms: number): Promise<void>;
  /** Ends the primary without a word. */
  killPrimary(): Promise<void>;
  /** Starts the ended primary again, as a machine does that was switched off. */
  startFormerPrimary(): Promise<void>;
  /** Sets the numbers of nodes to the end of two bytes. */
  useUpNumbers(): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** The ids of the checks of a log, by whoever is the primary now. */
  kept(visibility: Visibility): Promise<string[]>;
  /** How many public checks the nodes have counted together. */
  counted(): Promise<number>;
}

/** Starts both servers. */
export async function startReplicatedDatabases(): Promise<ReplicatedDatabases> {
  await using opening = new AsyncDisposableStack();
  const settings = { max_connections: '100' };
  const primary = opening.use(await startPostgres(settings));
  const databases = await makeDatabases(primary);
  const standby = opening.use(await startPostgres(settings, primary));
  // The copy was made before, and waits for nobody once it is the primary.
  await using admin = primary.connect();
  await admin.unsafe("alter system set synchronous_standby_names = '*'");
  await admin.unsafe('select pg_reload_conf()');
  const url = (server: PostgresServer, visibility: Visibility) =>
    server.url(DATABASE_ROLES[visibility].node, databases[visibility]);
  const flagsOf = (flag: string, visibility: Visibility) =>
    [primary, standby].flatMap((server) => [flag, url(server, visibility)]);
  let current = primary;
  const closing = opening.move();

  async function ask<Row>(visibility: Visibility, statement: string): Promise<Row[]> {
    await using sql = current.connect(databases[visibility]);
    return Array.from<Row>(await sql.unsafe(statement));
  }

  return {
    flags: [...flagsOf('--log-database', 'public'), ...flagsOf('--log-database-private', 'private')],
    pause: () => current.signal('SIGSTOP'),
    resume: () => current.signal('SIGCONT'),
    async restart() {
      await current.stop();
      await current.start();
    },
    async lockStatistics(ms) {
      await using sql = current.connect(databases.public);
      await sql.begin(async (locked) => {
        await locked.unsafe('lock table counts, blocked in access exclusive mode');
        await Bun.sleep(ms);
      });
    },
    killPrimary: () => primary.stop('SIGKILL'),
    startFormerPrimary: () => primary.start(),
    async useUpNumbers() {
      await ask('public', "select setval('nodes_id_seq', 32767)");
    },
    async promote() {
      await using sql = standby.connect();
      await sql.unsafe('select pg_promote()');
      current = standby;
    },
    kept: async (visibility) =>
      (await ask<{ id: string }>(visibility, 'select request_id::text as id from checks')).map(({ id }) => id),
    async counted() {
      const [sums] = await ask<{ counted: number }>(
        'public',
        'select sum(checks)::int as counted from counts where measure = 0',
      );
      return sums?.counted ?? 0;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
