import { digestOf } from './released-file.ts';
import { askReadiness } from '#src/admin/installation/readiness.ts';
import { awaitReady, startService, stopService, whyFailed } from './await-ready.ts';
import type { Desk } from './upgrade-context.ts';
import { dropEarlier, restoreEarlier } from './earlier.ts';
import { goBack, type Outcome } from './roll-back.ts';
import { type Journal, type Served, writeJournal } from './journal.ts';

/** Sees an upgrade through to one of its ends, from wherever it was interrupted. */
export async function seeThrough(journal: Journal, desk: Desk): Promise<Outcome> {
  const { place, warn } = desk;
  if (journal.state === 'returning') return await goBack(journal, journal.reason ?? 'it was asked for', desk);
  if ((await digestOf(place.program)) !== journal.to.sha256) {
    await restoreEarlier(place);
    await warn(`the upgrade to ${journal.to.version} was interrupted before it replaced anything: begin anew`);
    return 1;
  }
  for (const service of journal.services) {
    const problem = await renew(service, journal, desk);
    if (problem === null) continue;
    await warn(`${journal.to.version} has not become ready: ${problem}`);
    const outcome = await goBack(journal, problem, desk);
    return outcome === 0 ? 1 : outcome;
  }
  const waiting = journal.services.filter(({ control }) => control === null);
  for (const service of waiting) {
    if (await isOver(service, journal, desk)) continue;
    await writeJournal(place, { ...journal, state: 'waiting' });
    return journal.state === 'waiting' ? 1 : 0;
  }
  await writeJournal(place, { ...journal, state: 'upgraded' });
  await dropEarlier(place);
  return 0;
}

/** Restarts a service and waits for it; why it is not ready, null where it is, or where nobody here can restart it. */
async function renew(service: Served, { to }: Journal, { say, patienceMs }: Desk): Promise<string | null> {
  if (service.control === null) return null;
  const problem =
    (await whyFailed(stopService(service))) ??
    (await whyFailed(startService(service))) ??
    (await awaitReady(service, to.version, patienceMs));
  if (problem !== null) return problem;
  await say(`ready: ${service.name}, ${to.version}`);
  return null;
}

/** Whether a service that the operator restarts is ready, or does not run at all. */
async function isOver(service: Served, { to, state }: Journal, { say, warn, patienceMs }: Desk): Promise<boolean> {
  const again = '`lurecheck upgrade` sees it through, and `lurecheck upgrade --back` goes back';
  const { problem } = await askReadiness(service.own);
  if (state !== 'waiting') {
    if (problem === 'does not answer') {
      await warn('no service answers where it would listen: start it, if it is to run');
      return true;
    }
    await warn(`nobody here knows how to restart the service: restart it now, then ${again}`);
    return false;
  }
  const late = await awaitReady(service, to.version, patienceMs);
  if (late === null) await say(`ready: ${to.version}`);
  else await warn(`${to.version} is not ready: ${late}; ${again}`);
  return late === null;
}
