/**
 * `bun test/bench/fleet.ts`: what checks cost where the log is in a PostgreSQL, in processor time of the node and of the server,
 * and in bytes. Leaves the figures beside itself, from where `bun .ci/readme.ts` takes them.
 */
import { readFileSync } from 'node:fs';
import { DATABASE_ROLES } from '#src/checks/store/postgres/schema/database-roles.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { type FleetFigures, fleetText } from './fleet-figures.ts';
import { urlOf } from './load-urls.ts';
import { processMicros } from './process-figures.ts';

const WARM_UP = 1000;
const CHECKS = 5000;
const IN_FLIGHT = 32;

await using directory = temporaryDirectory();
await using server = await startPostgres({ shared_buffers: '128MB', fsync: 'on' });
const databases = await makeDatabases(server);
const url = (visibility: 'public' | 'private') => server.url(DATABASE_ROLES[visibility].node, databases[visibility]);
await using node = await startService(directory.path, [
  ...['--log-database', url('public'), '--log-database-private', url('private')],
]);
await using admin = server.connect(databases.public);

await check(0, WARM_UP);
const before = await figuresNow();
await check(WARM_UP, CHECKS);
const after = await figuresNow();
const [version] = await admin.unsafe("select current_setting('server_version') as version");
const each = (name: keyof typeof before) => (after[name] - before[name]) / CHECKS;
const figures: FleetFigures = {
  measuredAt: new Date().toISOString(),
  postgresVersion: String(version.version).split(' ', 1)[0] ?? '',
  checks: CHECKS,
  nodeMicroseconds: each('nodeUs'),
  postgresMicroseconds: each('serverUs'),
  diskBytes: each('diskBytes'),
  walBytes: each('walBytes'),
};
await Bun.write(new URL('fleet.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`);
process.stdout.write(`${fleetText(figures)}\n`);

async function check(from: number, count: number): Promise<void> {
  let next = from;
  const one = async () => {
    while (next < from + count) {
      const at = next++;
      const response = await node.check(urlOf(at));
      if (response.status !== 200) throw new Error(await response.text());
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
}

async function figuresNow() {
  const [sizes] = await admin.unsafe(
    "select pg_database_size(current_database())::float8 as disk, (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as wal",
  );
  const serverUs = (await Promise.all(processesOf(postmaster()).map(processMicros))).reduce((sum, us) => sum + us, 0);
  return { nodeUs: await processMicros(node.pid), serverUs, diskBytes: sizes.disk, walBytes: sizes.wal };
}

function postmaster(): number {
  return Number(readFileSync(`${server.path}/data/postmaster.pid`, 'utf8').split('\n', 1)[0]);
}

/** A process with all that it started. */
function processesOf(pid: number): number[] {
  const children = Bun.spawnSync(['pgrep', '-P', String(pid)]).stdout.toString();
  return [
    pid,
    ...children
      .split('\n')
      .filter((line) => line !== '')
      .map(Number),
  ];
}
