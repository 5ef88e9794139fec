import { addressOf, fetchReadiness, fetchVersion } from '#src/parts/host/installation/readiness.ts';
import { printed, runCommand } from '#src/parts/host/installation/system-command.ts';
import type { Served } from './journal.ts';

const POLL_MS = 250;

/** A service that its manager had to start that often again does not become ready. */
const MAX_RESTARTS = 3;

/** Stops a service with known commands. Throws an Error with the command's output if it fails. */
export async function stopService({ control }: Pick<Served, 'control'>): Promise<void> {
  for (const command of control?.stop ?? []) await runCommand(command);
}

/** Starts it; that it becomes ready is another matter. */
export async function startService({ control }: Pick<Served, 'control'>): Promise<void> {
  for (const command of control?.start ?? []) await runCommand(command);
}

/** Returns the message of a failure; null on success. */
export function failureMessageOf(work: Promise<void>): Promise<string | null> {
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
export async function awaitReady(service: Served, version: string, patienceMs: number): Promise<string | null> {
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
