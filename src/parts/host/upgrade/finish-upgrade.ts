import { fetchReadiness } from '#src/parts/host/installation/readiness.ts';
import { awaitReady, failureMessageOf, startService, stopService } from './await-ready.ts';
import { dropEarlier, restoreEarlier } from './earlier.ts';
import { type Journal, type Served, writeJournal } from './journal.ts';
import { digestOf } from './released-file.ts';
import { type Outcome, rollBackUpgrade } from './roll-back.ts';
import type { UpgradeContext } from './upgrade-context.ts';

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
