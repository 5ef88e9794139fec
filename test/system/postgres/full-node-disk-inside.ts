import { rmSync } from 'node:fs';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { until } from '#test/support/until.ts';
import { fillDisk } from '../small-disk.ts';
import { createNode, expectAllThere } from './busy-node.ts';

/**
 * Runs with a small file system at DIRECTORY: `full-node-disk-inside.ts DIRECTORY`. A node lives on it, and keeps what its
 * database does not take, which is away, until there is no room; then somebody else takes the rest. Prints what the node
 * said.
 */
const [directory = ''] = process.argv.slice(2);
const ballast = `${directory}/ballast`;

const report: Record<string, unknown> = {};
{
  await using server = await startPostgres();
  const databases = await makeDatabases(server);
  const lines: string[] = [];
  const options = { spoolRows: 1_000_000, timeoutMs: 500 };
  await using log = await openDatabaseLog(databases, directory, options, lines);
  const node = createNode(log);
  await node.check(100);
  await server.stop();
  for (let round = 0; round < 100 && node.refused.length === 0; round++) await node.check(1000);
  const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : String(error));
  report['codes'] = [...new Set(node.refused.map(codeOf))];
  report['problem'] = (await log.health()).problem;
  report['kept'] = node.acknowledged.length > 1000;
  fillDisk(ballast);
  await server.start();
  await until(() => lines.some((line) => line.includes('"log.spool_failed"')));
  rmSync(ballast);
  await node.untilHome();
  const before = node.refused.length;
  await node.check(100);
  report['refusedOnceThereIsRoom'] = node.refused.length - before;
  await expectAllThere(databases, node.acknowledged);
}
process.stdout.write(JSON.stringify(report));
