import { existsSync } from 'node:fs';
import { counted } from '#src/core/base/text/counted.ts';
import { VERSION } from '#src/core/base/version.ts';
import { isTooNew, type UndoneLog, undoUpgrade } from '#src/admin/backup/undo-upgrade.ts';
import { MIGRATIONS } from '#src/checks/store/file/migrations.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { digestOf } from './released-file.ts';
import { awaitReady, startService, stopService, whyFailed } from './await-ready.ts';
import type { Desk } from './upgrade-context.ts';
import { type Journal, type Served, writeJournal } from './journal.ts';
import { putInPlace } from './link-over.ts';
import { UpgradeError } from './upgrade-error.ts';

/** How an upgrade, or the way back, has ended; or that it is for the old executable to end, which stands in its place. */
export type Outcome = ExitCode | 'for the old one';

/**
 * Puts the old executable back, and under it the logs that the new one has migrated; starts the services again, and waits for
 * them. Doing it again goes on with what was interrupted. How the old one keeps its logs only that itself knows.
 *
 * @throws UpgradeError where there is nothing to go back to; what the logs cannot be put back for
 */
export async function goBack(journal: Journal, reason: string, desk: Desk): Promise<Outcome> {
  const { place, warn, say } = desk;
  const { from, services } = journal;
  if (!existsSync(place.previous) || (await digestOf(place.previous)) !== from.sha256) {
    throw new UpgradeError(
      `${place.previous} is not the executable of ${from.version}: there is nothing to go back to.`,
    );
  }
  await writeJournal(place, { ...journal, state: 'returning', reason });
  // One that cannot be stopped, as it has ended by itself, is no reason to leave it so.
  for (const service of services) await whyFailed(stopService(service));
  await putInPlace(place.previous, place.program);
  await say(`put ${from.version} back as ${place.program}`);
  if (VERSION !== from.version || MIGRATIONS.length !== from.schema) return 'for the old one';
  for (const service of services) await putLogsBack(service, from.schema, desk);
  const problems: string[] = [];
  for (const service of services) {
    if (service.control === null) continue;
    const unstarted = await whyFailed(startService(service));
    const problem = unstarted ?? (await awaitReady(service, from.version, desk.patienceMs));
    if (problem === null) await say(`ready: ${service.name}, ${from.version}`);
    else problems.push(problem);
  }
  await writeJournal(place, { ...journal, state: 'returned', reason });
  for (const problem of problems) await warn(`${from.version} is back in place, but ${problem}`);
  if (services.some(({ control }) => control === null)) await warn('restart the service, or start it, if it is to run');
  return problems.length === 0 ? 0 : 1;
}

async function putLogsBack({ data_dir: dataDir, backup }: Served, schema: number, desk: Desk): Promise<void> {
  if (!existsSync(dataDir) || !isTooNew(dataDir, schema)) return;
  const undone = await undoUpgrade({ dataDir, schema, backup, nowMs: desk.now() });
  for (const log of undone) await desk.say(describeUndone(log));
}

function describeUndone({ visibility, aside, source, carried, missing }: UndoneLog): string {
  const since =
    source === 'copy'
      ? 'as it was when the newer version migrated it'
      : 'as it was in the backup, with what was deleted since';
  const lost =
    missing === 0
      ? `it has every check, ${carried} of them from the newer one`
      : `${missing === null ? 'what was checked since' : `${counted(missing, 'check')} that came in since`} cannot be read by this version, and stay there for the newer one`;
  return `put the ${visibility} log back ${since}; the newer file is ${aside}: ${lost}`;
}
