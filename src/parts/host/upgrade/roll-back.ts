import { existsSync } from 'node:fs';
import { MIGRATIONS } from '#src/checks/store/file/migrations.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { VERSION } from '#src/core/base/version.ts';
import { awaitReady, failureMessageOf, startService, stopService } from './await-ready.ts';
import { type Journal, type Served, writeJournal } from './journal.ts';
import { linkOver } from './link-over.ts';
import { digestOf } from './released-file.ts';
import { isTooNew, type UndoneLog, undoUpgrade } from './undo-upgrade.ts';
import type { UpgradeContext } from './upgrade-context.ts';
import { UpgradeError } from './upgrade-error.ts';

/** Result of an upgrade or rollback; `old_program_continues` if the restored executable has to complete it. */
export type Outcome = 0 | 1 | 'old_program_continues';

/**
 * Restores the old executable, and for it the logs that the new one has migrated; starts the services again, and waits
 * for them. A repetition continues what was interrupted. Only the old executable knows how it stores its logs.
 *
 * @throws UpgradeError if there is nothing to roll back to; what restoring the logs throws
 */
export async function rollBackUpgrade(journal: Journal, reason: string, context: UpgradeContext): Promise<Outcome> {
  const { paths, warn, say } = context;
  const { from, services } = journal;
  if (!existsSync(paths.previous) || (await digestOf(paths.previous)) !== from.sha256) {
    throw new UpgradeError(`${paths.previous} is not the executable of ${from.version}: a rollback is not possible.`);
  }
  await writeJournal(paths, { ...journal, state: 'returning', reason });
  // A service that cannot be stopped may have ended by itself; the rollback continues.
  for (const service of services) await failureMessageOf(stopService(service));
  await linkOver(paths.previous, paths.program);
  if (VERSION !== from.version || MIGRATIONS.length !== from.schema) return 'old_program_continues';
  await say(`restored ${from.version} as ${paths.program}`);
  for (const service of services) await restoreLogs(service, from.schema, context);
  const problems: string[] = [];
  for (const service of services) {
    if (service.control === null) continue;
    const unstarted = await failureMessageOf(startService(service));
    const problem = unstarted ?? (await awaitReady(service, from.version, context.patienceMs));
    if (problem === null) await say(`ready: ${service.name}, ${from.version}`);
    else problems.push(problem);
  }
  await writeJournal(paths, { ...journal, state: 'returned', reason });
  for (const problem of problems) await warn(`${from.version} is installed again, but ${problem}`);
  if (services.some(({ control }) => control === null)) await warn('restart the service, or start it if it should run');
  return problems.length === 0 ? 0 : 1;
}

async function restoreLogs(
  { data_dir: dataDir, backup }: Served,
  schema: number,
  context: UpgradeContext,
): Promise<void> {
  if (!existsSync(dataDir) || !isTooNew(dataDir, schema)) return;
  const undone = await undoUpgrade({ dataDir, schema, backup, nowMs: context.now() });
  for (const log of undone) await context.say(describeUndone(log));
}

function describeUndone({ visibility, aside, source, carried, missing }: UndoneLog): string {
  const since =
    source === 'copy'
      ? 'to its state before the newer version migrated it'
      : 'from the backup, with the deletions made since';
  const lost =
    missing === 0
      ? `all checks are in the restored log, ${carried} of them copied from the newer file`
      : `${missing === null ? 'the checks logged since' : `${counted(missing, 'check')} logged since`} cannot be read by this version and stay in the newer file`;
  return `restored the ${visibility} log ${since}; the newer file is ${aside}: ${lost}`;
}
