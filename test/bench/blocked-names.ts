/**
 * `bun test/bench/blocked-names.ts [ROWS]`: how long a backlog of counts takes to be folded, and what a look at the statistics costs the
 * PostgreSQL while it is there and after that.
 */

import { queriesOf } from '#src/checks/store/read/queries.ts';
import { readFigures as countsOf } from '#src/checks/store/read/stats.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { foldBlocked, readBlockedNames } from '#src/parts/postgres/read/blocked-names.ts';
import { DATABASE_TABLES } from '#src/parts/postgres/read/read-database.ts';
import type { DatabaseConnection } from '#src/parts/postgres/session/session.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { processMicros } from './process-figures.ts';
import { spreadOf } from './statistics.ts';

const ROWS = Number(process.argv[2] ?? 10_000_000);
const LOOKS = 25;
/** Ninety days of three nodes, whose names come again on other days. */
const [DAYS, NODES, NAMES] = [90, 3, 1_000_003];

await using server = await startPostgres({ shared_buffers: '128MB', fsync: 'on', max_wal_size: '8GB' });
const databases = await makeDatabases(server);
await using admin = server.connect(databases.public);
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
await admin.unsafe(
  `insert into blocked select ${today} - (n % ${DAYS})::int8 * ${DAY_MS}, 0,
     'n' || ((n / ${DAYS * NODES})::int8 * 7919 + n % ${DAYS} * 131) % ${NAMES} || '.example', 1 + n / ${DAYS} % ${NODES}, 1 + n % 7
   from generate_series(0, ${ROWS - 1}) n`,
);
const looks = { backlog: await look(), folded: '' };
const startMs = performance.now();
const [folded, micros] = await onDatabase(databases.url('public', 'node'), async (connection) => {
  const pid = await pidOf(connection);
  const before = await processMicros(pid);
  let sum = 0;
  for (let some = -1; some !== 0; sum += some) some = await foldBlocked(connection);
  return [sum, (await processMicros(pid)) - before] as const;
});
const seconds = (performance.now() - startMs) / 1000;
looks.folded = await look();
process.stdout.write(
  `${folded.toLocaleString('en')} of ${ROWS.toLocaleString('en')} rows folded in ${seconds.toFixed(0)} s (${(micros / 1e6).toFixed(0)} s of a processor); ` +
    `a look takes of the PostgreSQL ${looks.backlog} with the backlog, ${looks.folded} after that\n`,
);

/** Processor time of the PostgreSQL for what the statistics read, by one connection; Linux counts it in hundredths of a second. */
async function look(): Promise<string> {
  return await onDatabase(databases.url('public', 'node'), async (connection) => {
    const pid = await pidOf(connection);
    await readFigures(connection);
    const waits: number[] = [];
    const before = await processMicros(pid);
    for (let n = 0; n < LOOKS; n++) {
      const beginMs = performance.now();
      await readFigures(connection);
      waits.push(performance.now() - beginMs);
    }
    const ms = ((await processMicros(pid)) - before) / LOOKS / 1000;
    return `${ms.toFixed(1)} ms of a processor (${spreadOf(waits).median.toFixed(1)} ms in all)`;
  });
}

async function readFigures({ db }: DatabaseConnection<unknown>): Promise<void> {
  await Promise.all([countsOf(queriesOf(db), DATABASE_TABLES, Date.now()), readBlockedNames(db)]);
}

async function pidOf({ sql }: { readonly sql: Bun.SQL }): Promise<number> {
  const [row]: { pid: number }[] = await sql.unsafe('select pg_backend_pid() as pid');
  return row?.pid ?? 0;
}
