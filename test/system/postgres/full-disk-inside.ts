import { chmodSync, rmSync } from 'node:fs';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { fillDisk } from '../small-disk.ts';
import { createNode, expectAllThere } from './busy-node.ts';

/**
 * Runs with a small file system at DIRECTORY: `full-disk-inside.ts DIRECTORY`. A PostgreSQL lies on it, which has no room for
 * a while; the node that logs there has a disk of its own. Prints what the node said meanwhile.
 */
const [directory = ''] = process.argv.slice(2);
const ballast = `${directory}/ballast`;
// The server runs as another user.
chmodSync(directory, 0o755);

const report: Record<string, unknown> = {};
{
  await using server = await startPostgres({ max_wal_size: '32MB', autovacuum: 'off' }, null, directory);
  await using home = temporaryDirectory();
  const databases = await makeDatabases(server);
  await using log = await openDatabaseLog(databases, home.path, { spoolRows: 100_000 });
  const node = createNode(log);
  await node.check(100);
  fillDisk(ballast);
  await node.check(3000);
  report['whileFull'] = (await log.health()).notices.map(({ text }) => text);
  rmSync(ballast);
  await node.check(100);
  await node.untilHome();
  report['refused'] = node.refused.length;
  await expectAllThere(databases, node.acknowledged);
}
process.stdout.write(JSON.stringify(report));
