import { hostname } from 'node:os';
import type { ConfigFor } from '#src/app/config.ts';
import { makePrivateDirectory } from '#src/checks/store/file/directory-lock.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { openClientHash, readClientKey } from '#src/checks/store/write/client-hash.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import type { DeletionBackend } from '#src/interfaces/cli/history/deletion-act.ts';
import { describeEarlier } from '#src/interfaces/cli/history/deletion-text.ts';
import type { KnownNode } from '#src/parts/postgres/nodes/read-nodes.ts';
import { checkDatabaseAuthorities } from '../database-authorities.ts';

/** Opens the deletions of a log in a database. Throws OperationError if a file that the settings name is unusable. */
export async function openDatabaseBackend(
  config: ConfigFor<'history'>,
  visibility: Visibility,
  logger: Logger,
): Promise<DeletionBackend> {
  await checkDatabaseAuthorities(config);
  const key = await readClientKey(config);
  if (key === null) makePrivateDirectory(config.data_dir, logger);
  const hashOf = openClientHash(config.data_dir, key);
  const [{ openDatabaseDeletions }, { readNodesOf }, { createServerGuards, openSeenTimelines }] = await Promise.all([
    import('#src/parts/postgres/database-deletions.ts'),
    import('#src/parts/postgres/nodes/read-nodes.ts'),
    import('#src/parts/postgres/session/server-guard.ts'),
  ]);
  const urls = { public: config.log_database, private: config.log_database_private };
  const guards = createServerGuards({ urls, seen: openSeenTimelines(config.data_dir), logger });
  const deletions = openDatabaseDeletions(visibility, urls[visibility], guards[visibility]);
  return {
    count: deletions.count,
    async remove(criterion) {
      const { deletion, earlier } = await deletions.remove(criterion, hashOf(criterion.wanted), Date.now());
      const nodes = await readNodesOf(config.log_database);
      const late = nodes.filter(({ waiting }) => waiting > 0);
      const notes = [...earlier.map(describeEarlier), ...late.map(describeLate)];
      return { deletion, problem: unusedSince(nodes), notes };
    },
    all: deletions.all,
    hashOf,
    [Symbol.asyncDispose]: () => deletions[Symbol.asyncDispose](),
  };
}

/** Returns why a deletion is not confirmed: no node uses this server, so another one may have the checks. Else null. */
function unusedSince(nodes: readonly KnownNode[]): string | null {
  const last = nodes
    .map(({ seen_at }) => seen_at)
    .toSorted()
    .at(-1);
  if (last === undefined || nodes.some(({ is_alive }) => is_alive)) return null;
  return `no node has used this server since ${last}. If another server took its place, the checks are still there: name it. Else start a node, and repeat the deletion`;
}

/** Describes the checks of a node that have not arrived, and therefore cannot be deleted. */
function describeLate({ name, waiting, seen_at }: KnownNode): string {
  return `${counted(waiting, 'check')} in the spool of the node ${name} at ${seen_at}: repeat the deletion once lurecheck nodes shows none`;
}

/** Copies both logs of the data directory into the databases that the settings name; 1 where some were refused. */
export async function copyToDatabase(config: ConfigFor<'log'>, io: Io, logger: Logger): Promise<ExitCode> {
  const urls = { public: config.log_database, private: config.log_database_private };
  if (urls.public.length === 0) throw new UsageError('--log-database and --log-database-private are required');
  const [{ copyLog }, { createServerGuards, openSeenTimelines }] = await Promise.all([
    import('#src/parts/postgres/writers.ts'),
    import('#src/parts/postgres/session/server-guard.ts'),
  ]);
  const guards = createServerGuards({ urls, seen: openSeenTimelines(config.data_dir), logger });
  await using log = await openLocalLog({ dataDir: config.data_dir, access: 'read', clock: systemClock, logger });
  const status = {
    name: config.node_name ?? hostname(),
    version: VERSION,
    run: null,
    configuration: () => null,
    waiting: () => 0,
    setAside: () => 0,
    clock: systemClock,
  };
  let refused = 0;
  for (const visibility of ['public', 'private'] as const) {
    const copied = await copyLog(log, visibility, { urls: urls[visibility], guard: guards[visibility], status });
    refused += copied.refused;
    await io.stdout.write(`${counted(copied.checks, 'check')} of the ${visibility} log in its database\n`);
  }
  if (refused === 0) return 0;
  await io.stderr.write(
    `lurecheck: the databases refused ${counted(refused, 'check')}; the files still contain them\n`,
  );
  return 1;
}
