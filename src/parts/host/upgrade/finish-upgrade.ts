import { existsSync } from 'node:fs';
import { MIGRATIONS } from '#src/checks/store/file/migrate.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { VERSION } from '#src/core/base/version.ts';
import { addressOf, fetchReadiness, fetchVersion } from '#src/parts/host/installation/readiness.ts';
import { printed, runCommand } from '#src/parts/host/installation/system-command.ts';
import { type Journal, type Served, writeJournal } from './journal.ts';
import { digestOf } from './released-file.ts';
import { dropEarlier, linkOver, restoreEarlier } from './replace-program.ts';
import { isTooNew, type UndoneLog, undoUpgrade } from './undo-upgrade.ts';
import { type UpgradeContext, UpgradeError } from './upgrade-context.ts';

const POLL_MS = 250;

/** A service that its manager had to start that often again does not become ready. */
const MAX_RESTARTS = 3;

/** Stops a service with known commands. Throws an Error with the command's output if it fails. */
async function stopService({ control }: Pick<Served, 'control'>): Promise<void> {
  for (const command of control?.stop ?? []) await runCommand(command);
}

/** Starts it; that it becomes ready is another matter. */
export async function startService({ control }: Pick<Served, 'control'>): Promise<void> {
  for (const command of control?.start ?? []) await runCommand(command);
}

/** Returns the message of a failure; null on success. */
function failureMessageOf(work: Promise<void>): Promise<string | null> {
  return work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Returns true if a service is ready and, as far as it reports one, has this version. */
async function isReady({ own }: Pick<Served, 'own'>, version: string): Promise<boolean> {
  const [{ problem }, reported] = await Promise.all([fetchReadiness(own), fetchVersion(own)]);
  return problem === null && (reported === null || reported === version);
}

/** Waits until a service is ready; returns the problem as a sentence if it does not become ready, or null. */
async function awaitReady(service: Served, version: string, patienceMs: number): Promise<string | null> {
  const { name, own } = service;
  const deadline = performance.now() + patienceMs;
  while (!(await isReady(service, version))) {
    const restarts = await restartsOf(name);
    if (restarts >= MAX_RESTARTS) return `${name} keeps exiting; it was restarted ${restarts} times`;
    if (performance.now() > deadline) {
      const { problem } = await fetchReadiness(own);
      const what = problem ?? `is ${(await fetchVersion(own)) ?? 'another version'}, not ${version}`;
      return `${name} at ${addressOf(own)} ${what}, after ${Math.round(patienceMs / 1000)} s`;
    }
    await Bun.sleep(POLL_MS);
  }
  return null;
}

/** Returns how often systemd restarted a unit since its start; 0 for other managers. */
async function restartsOf(unit: string): Promise<number> {
  if (!unit.endsWith('.service')) return 0;
  return Number(await printed('systemctl', 'show', '-p', 'NRestarts', '--value', unit)) || 0;
}

/** Completes an upgrade or its rollback, from wherever it was interrupted. */
export async function finishUpgrade(journal: Journal, context: UpgradeContext): Promise<Outcome> {
  const { paths, warn } = context;
  if (journal.state === 'returning')
    return await rollBackUpgrade(journal, journal.reason ?? 'the operator requested it', context);
  if ((await digestOf(paths.program)) !== journal.to.sha256) {
    await restoreEarlier(paths);
    await warn(`the upgrade to ${journal.to.version} was interrupted before it replaced anything: start it again`);
    return 1;
  }
  for (const service of journal.services) {
    const problem = await restart(service, journal, context);
    if (problem === null) continue;
    await warn(`${journal.to.version} did not become ready: ${problem}`);
    const outcome = await rollBackUpgrade(journal, problem, context);
    return outcome === 0 ? 1 : outcome;
  }
  const waiting = journal.services.filter(({ control }) => control === null);
  for (const service of waiting) {
    if (await isDone(service, journal, context)) continue;
    await writeJournal(paths, { ...journal, state: 'waiting' });
    return journal.state === 'waiting' ? 1 : 0;
  }
  await writeJournal(paths, { ...journal, state: 'upgraded' });
  await dropEarlier(paths);
  return 0;
}

/**
 * Restarts a service and waits for it; returns why it is not ready, or null if it is or cannot be restarted from here.
 */
async function restart(service: Served, { to }: Journal, { say, patienceMs }: UpgradeContext): Promise<string | null> {
  if (service.control === null) return null;
  const problem =
    (await failureMessageOf(stopService(service))) ??
    (await failureMessageOf(startService(service))) ??
    (await awaitReady(service, to.version, patienceMs));
  if (problem !== null) return problem;
  await say(`ready: ${service.name}, ${to.version}`);
  return null;
}

/** Returns true if a service that the operator restarts is ready, or does not run. */
async function isDone(
  service: Served,
  { to, state }: Journal,
  { say, warn, patienceMs }: UpgradeContext,
): Promise<boolean> {
  const again = '`lurecheck upgrade` completes it, and `lurecheck upgrade --back` rolls it back';
  const { problem } = await fetchReadiness(service.own);
  if (state !== 'waiting') {
    if (problem === 'does not answer') {
      await warn('no service answers at its address: start it if it should run');
      return true;
    }
    await warn(`the service must be restarted by hand: restart it now, then ${again}`);
    return false;
  }
  const late = await awaitReady(service, to.version, patienceMs);
  if (late === null) await say(`ready: ${to.version}`);
  else await warn(`${to.version} is not ready: ${late}; ${again}`);
  return late === null;
}

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
