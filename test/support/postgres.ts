import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { SQL } from 'bun';
import { type DatabaseUrl, readDatabaseUrl } from '#src/checks/store/database-url.ts';
import { withTimeout } from '#src/core/base/timers.ts';
import { DATABASE_ROLES, migrateDatabase } from '#src/parts/postgres/schema/migrate-database.ts';

const ROOT = '/usr/lib/postgresql';

/** A PostgreSQL of its own, by a unix socket alone, gone with the test. */
export interface PostgresServer extends AsyncDisposable {
  /** The folder of its socket. */
  readonly path: string;
  url(role: string, database: string): string;
  /** A connection as its administrator. */
  connect(database?: string): SQL;
  /** Sends a signal to all of its processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  stop(signal?: 'SIGINT' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
}

/** Where PostgreSQL's programs are; an error that says what to install where they are missing. */
export function postgresPrograms(): string {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).filter((name) => /^\d+$/.test(name)) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error('apt-get install -y --no-install-recommends postgresql');
  return `${ROOT}/${newest}/bin`;
}

/** It refuses to run as root, and is then run as the user that its package makes. */
const isRoot = process.getuid?.() === 0;
const ASUSER = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];

const idOf = (flag: '-u' | '-g') => Number(Bun.spawnSync(['id', flag, 'postgres']).stdout.toString());

/** As whom a server runs; null for who starts it. */
export function postgresUser(): { readonly uid: number; readonly gid: number } | null {
  return isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : null;
}

/** Starts a server with `settings` beside the usual ones; a standby where there is a primary. All of it lies in `folder`. */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  primary: PostgresServer | null = null,
  folder = '/tmp',
): Promise<PostgresServer> {
  const path = await mkdtemp(`${folder}/lurecheck-pg-`);
  const user = postgresUser();
  if (user) await chown(path, user.uid, user.gid);
  const data = `${path}/data`;
  const made = Bun.spawnSync([...ASUSER, ...(primary ? copyOf(primary, data) : emptyIn(data))], {
    cwd: path,
    stdout: 'ignore',
    stderr: 'pipe',
  });
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  const all = {
    listen_addresses: '',
    unix_socket_directories: path,
    shared_buffers: '16MB',
    max_connections: '40',
    // What the system has is safe from anything that a test does to processes.
    fsync: 'off',
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const port = settings['port'] ?? '5432';
  let child: Bun.Subprocess | null = null;

  const server: PostgresServer = {
    path,
    url: (role, database) => `postgres://${role}@/${database}?host=${path}&port=${port}`,
    connect: (database = 'postgres') =>
      new SQL({ adapter: 'postgres', path: `${path}/.s.PGSQL.${port}`, username: 'admin', database, max: 1 }),
    signal(signal) {
      const pid = child?.pid ?? 0;
      for (const one of [pid, ...childrenOf(pid)]) trySignal(one, signal);
    },
    async stop(signal = 'SIGINT') {
      if (signal === 'SIGKILL') server.signal('SIGKILL');
      else child?.kill(signal);
      await child?.exited;
      child = null;
    },
    async start() {
      child = Bun.spawn([...ASUSER, `${postgresPrograms()}/postgres`, '-D', data, ...options], {
        cwd: path,
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: Bun.file(`${path}/log`),
      });
      await untilReady(server);
    },
    async [Symbol.asyncDispose]() {
      server.signal('SIGCONT');
      child?.kill('SIGQUIT');
      await child?.exited;
      await rm(path, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

function emptyIn(data: string): string[] {
  const usual = ['-A', 'trust', '--no-sync', '--no-instructions', '-E', 'UTF8', '--locale=C'];
  return [`${postgresPrograms()}/initdb`, '-D', data, '-U', 'admin', ...usual];
}

function copyOf(primary: PostgresServer, data: string): string[] {
  return [
    `${postgresPrograms()}/pg_basebackup`,
    '-h',
    primary.path,
    '-U',
    'admin',
    '-D',
    data,
    '-R',
    '--checkpoint=fast',
    '--no-sync',
  ];
}

/** The processes that a process started. `setpriv` becomes the server, so that there is no other between. */
function childrenOf(pid: number): number[] {
  const children = Bun.spawnSync(['pgrep', '-P', String(pid)]).stdout.toString();
  return children
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

async function untilReady(server: PostgresServer): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const sql = server.connect();
    try {
      // A server that begins may take a connection and forget it.
      await withTimeout(sql.unsafe('select 1').execute(), 1000);
      return;
    } catch {
      await Bun.sleep(10);
    } finally {
      void sql.close({ timeout: 0 }).catch(() => {});
    }
  }
  throw new Error(`PostgreSQL does not start: ${await Bun.file(`${server.path}/log`).text()}`);
}

/** Two fresh databases with lurecheck's tables, and the roles of its nodes and of its operator. */
export interface Databases {
  readonly public: string;
  readonly private: string;
  /** Where a role finds one of them. */
  url(visibility: 'public' | 'private', role: 'node' | 'operator' | 'owner'): DatabaseUrl;
}

let made = 0;

/** Makes two databases on a server. */
export async function makeDatabases(server: PostgresServer): Promise<Databases> {
  const number = ++made;
  const names = { public: `public_${number}`, private: `private_${number}` };
  await using admin = server.connect();
  for (const role of ['lurecheck_owner', ...Object.values(DATABASE_ROLES).flatMap(Object.values<string>)]) {
    await admin.unsafe(
      `do $$ begin create role ${role} login; exception when duplicate_object or unique_violation then null; end $$`,
    );
  }
  const url: Databases['url'] = (visibility, role) => {
    const name = role === 'owner' ? 'lurecheck_owner' : DATABASE_ROLES[visibility][role];
    const read = readDatabaseUrl(server.url(name, names[visibility]));
    if (typeof read === 'string') throw new Error(read);
    return read;
  };
  for (const visibility of ['public', 'private'] as const) {
    await admin.unsafe(`create database ${names[visibility]} owner lurecheck_owner`);
    const { user, database, port } = url(visibility, 'owner');
    await using owner = new SQL({
      adapter: 'postgres',
      path: `${server.path}/.s.PGSQL.${port}`,
      username: user,
      database,
      max: 1,
    });
    await migrateDatabase(owner, visibility, Date.now());
  }
  return { ...names, url };
}
