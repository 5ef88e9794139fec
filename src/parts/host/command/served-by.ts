import { readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '#src/core/base/io.ts';
import type { Invocation } from '#src/interfaces/cli/command.ts';
import type { Manager, ServiceState } from '#src/parts/host/installation/manager.ts';
import { ownService } from '#src/parts/host/installation/readiness.ts';
import type { Served, ServiceToUpgrade } from '#src/parts/host/upgrade/journal.ts';
import { UpgradeError } from '#src/parts/host/upgrade/upgrade-context.ts';
import { MANAGERS, type Started, startedWith } from './service-status.ts';

/** A service described by the operator, because no supported manager runs it. */
interface OperatorService extends Started {
  /** Command lines for the shell. */
  readonly stop: string | undefined;
  readonly start: string | undefined;
}

/**
 * Returns the services that run an executable, with their settings and restart commands: those of the service manager,
 * or the one that the operator describes, whose state is unknown.
 *
 * @throws UpgradeError if this user cannot read how one was started
 */
export async function servicesOf(program: string, words: OperatorService, io: Io): Promise<ServiceToUpgrade[]> {
  if (words.stop !== undefined && words.start !== undefined) {
    const control = { stop: [inShell(words.stop)], start: [inShell(words.start)] };
    return [served('the service', words, control)];
  }
  const manager = MANAGERS.find((one) => one.isRunning());
  const states = (await manager?.states()) ?? [];
  const managed = await Promise.all(
    states.map(async (state) => manager && (await managedBy(manager, state, { program, words, io }))),
  );
  const found = managed.flatMap((one) => one ?? []);
  refuseCopy(program, found.length > 0 ? [] : states);
  return found.length > 0 ? found : [served('the service', words, null)];
}

/** Throws an UpgradeError if the service runs by another executable: this one would be replaced to no effect. */
function refuseCopy(program: string, states: readonly ServiceState[]): void {
  for (const { unit, pid } of states) {
    const runsBy = pid === null ? null : executableOf(pid);
    if (runsBy === null || runsBy === program) continue;
    throw new UpgradeError(
      `${unit} runs ${runsBy}, and this is ${program}: run ${runsBy} upgrade, and remove this copy if nothing else needs it. Nothing was changed.`,
    );
  }
}

/** Returns a service of the manager; null if it runs another executable or is meant to be stopped. */
async function managedBy(
  manager: Manager,
  { unit, activity, pid }: ServiceState,
  { program, words, io }: { program: string; words: OperatorService; io: Io },
): Promise<ServiceToUpgrade | null> {
  if (activity === 'stopped') return null;
  const control = { stop: copied(manager.stop(unit)), start: copied(manager.start(unit)) };
  // It is tried again and again, or was given up: which settings it has only the operator can say.
  if (pid === null) return served(unit, words, control);
  const runsBy = executableOf(pid);
  if (runsBy !== null && runsBy !== program) return null;
  const started = runsBy === null ? null : await startedWith(pid, io);
  if (started === null) {
    throw new UpgradeError(`only root can read how ${unit} was started: run the command as root`);
  }
  const folder = readlinkSync(`/proc/${pid}/cwd`);
  return served(unit, { ...started, data_dir: resolve(folder, started.data_dir) }, control);
}

function served(name: string, started: Started, control: Served['control']): ServiceToUpgrade {
  return { name, data_dir: resolve(started.data_dir), own: ownService(started), control };
}

/** Returns the executable of a process; null if this user may not read it. A replaced file keeps its name there. */
function executableOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}

const inShell = (line: string): string[] => ['/bin/sh', '-c', line];

const copied = (commands: readonly (readonly string[])[]): string[][] => commands.map((command) => [...command]);

/** Reads the operator's description of the service. */
export function operatorService(invocation: Pick<Invocation<Started>, 'config' | 'text'>): OperatorService {
  return { ...invocation.config, stop: invocation.text('stop'), start: invocation.text('start') };
}
