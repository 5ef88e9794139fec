/**
 * `bun run bench --fleet`: what checks cost where nodes log to a PostgreSQL and count in a Redis: processor time of each, bytes, and
 * how many checks one process and two on a core each answer. Leaves the figures beside itself and in the manual.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DATABASE_ROLES } from '#src/parts/postgres/schema/migrate-database.ts';
import { freePort } from '#test/support/free-port.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { startRedis } from '#test/support/redis-server.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { FLEET, withFleet } from '../../.ci/readme.ts';
import { connect } from './connection.ts';
import { type FleetFigures, fleetText, type NodesFigures, ROWS } from './fleet-figures.ts';
import { urlOf } from './load-urls.ts';
import { familyMicros, processMicros } from './process-figures.ts';
import { spreadOf } from './statistics.ts';

const WARM_UP = 2000;
const CHECKS = 5000;
const ROUNDS = 4;
const CLIENTS = 5000;

type Measured = Omit<NodesFigures, 'processes' | 'connections'>;

await using directory = temporaryDirectory();
await using server = await startPostgres({ shared_buffers: '128MB', fsync: 'on', max_connections: '100' });
await using redis = await startRedis();
const databases = await makeDatabases(server);
await using admin = server.connect(databases.public);
const key = join(directory.path, 'client.key');
await Bun.write(key, crypto.getRandomValues(new Uint8Array(32)));
let asked = 0;

const measured: Measured[][] = ROWS.map(() => []);
const before = await serverNow();
// In turns, so that whatever else the machine does meets both.
for (let round = 0; round < ROUNDS; round++) {
  for (const [at, { processes, connections }] of ROWS.entries())
    measured[at]?.push(await measure(round, processes, connections));
}
const after = await serverNow();
const [version] = await admin.unsafe("select current_setting('server_version') as version");
const checks = asked;
const figures: FleetFigures = {
  measuredAt: new Date().toISOString(),
  postgresVersion: String(version.version).split(' ', 1)[0] ?? '',
  checks: CHECKS * ROUNDS * ROWS.length,
  cores: availableParallelism(),
  diskBytes: (after.diskBytes - before.diskBytes) / checks,
  indexBytes: (after.indexBytes - before.indexBytes) / checks,
  walBytes: (after.walBytes - before.walBytes) / checks,
  rows: ROWS.map((row, at) => ({ ...row, ...medianOf(measured[at] ?? []) })),
};
await Bun.write(new URL('fleet.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`);
await Bun.write(FLEET, await withFleet(await Bun.file(FLEET).text()));
process.stdout.write(`${fleetText(figures)}\n`);

/** Starts so many processes on one port, and asks them over so many connections, which the system hands out. */
async function measure(round: number, processes: number, connections: number): Promise<Measured> {
  const port = await freePort();
  await using stack = new AsyncDisposableStack();
  const nodes: Service[] = [];
  for (let at = 0; at < processes; at++) {
    const name = `${processes}-${connections}-${at}`;
    const node = stack.use(await startService(join(directory.path, `${round}-${name}`), flagsOf(name, port)));
    // Each on a core of its own, where there are as many beside for the others.
    if (availableParallelism() >= 4) Bun.spawnSync(['taskset', '-acp', String(at), String(node.pid)]);
    nodes.push(node);
  }
  await check(port, WARM_UP, connections);
  const [from, fromMs] = [await microsNow(nodes), performance.now()];
  await check(port, CHECKS, connections);
  const [to, toMs] = [await microsNow(nodes), performance.now()];
  return {
    perSecond: (1000 * CHECKS) / (toMs - fromMs),
    nodeMicroseconds: (to.node - from.node) / CHECKS,
    postgresMicroseconds: (to.postgres - from.postgres) / CHECKS,
    redisMicroseconds: (to.redis - from.redis) / CHECKS,
  };
}

function flagsOf(name: string, port: number): string[] {
  const url = (visibility: 'public' | 'private') => server.url(DATABASE_ROLES[visibility].node, databases[visibility]);
  return [
    ...['--listen', `127.0.0.1:${port}`, '--reuse-port', 'true', '--node-name', name],
    ...['--log-database', url('public'), '--log-database-private', url('private')],
    ...['--limiter', redis.url, '--client-key-file', key, '--rate-limit', '600', '--trusted-proxy', '127.0.0.1/32'],
  ];
}

async function check(port: number, count: number, connections: number): Promise<void> {
  const last = asked + count;
  const ask = async () => {
    const connection = await connect(port);
    while (asked < last) {
      const at = asked++;
      const client = `X-Forwarded-For: 10.0.${(at % CLIENTS) >> 8}.${(at % CLIENTS) & 255}\r\n`;
      await connection.post('/api/check-url', JSON.stringify({ url: urlOf(at) }), client);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, ask));
}

async function microsNow(nodes: readonly Service[]) {
  const ofNodes = await Promise.all(nodes.map(({ pid }) => processMicros(pid)));
  return {
    node: ofNodes.reduce((sum, us) => sum + us, 0),
    postgres: await familyMicros(postmaster()),
    redis: await processMicros(redis.pid),
  };
}

async function serverNow() {
  const [sizes] = await admin.unsafe(
    `select pg_database_size(current_database())::float8 as disk, (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as wal,
      (select sum(pg_indexes_size(inhrelid)) from pg_inherits where inhparent = 'checks'::regclass)::float8 as indexes`,
  );
  return { diskBytes: sizes.disk, indexBytes: sizes.indexes, walBytes: sizes.wal };
}

function medianOf(all: readonly Measured[]): Measured {
  const median = (name: keyof Measured) => spreadOf(all.map((figures) => figures[name])).median;
  return {
    perSecond: median('perSecond'),
    nodeMicroseconds: median('nodeMicroseconds'),
    postgresMicroseconds: median('postgresMicroseconds'),
    redisMicroseconds: median('redisMicroseconds'),
  };
}

function postmaster(): number {
  return Number(readFileSync(`${server.path}/data/postmaster.pid`, 'utf8').split('\n', 1)[0]);
}
