import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, ConfigFor } from '#src/app/config.ts';
import type { Io } from '#src/core/base/io.ts';
import { readArguments } from '#src/interfaces/cli/arguments.ts';
import type { Grammar } from '#src/interfaces/cli/command.ts';
import { parseInvocation } from '#src/interfaces/cli/invocation.ts';
import type { Manager, ServiceState } from '#src/parts/host/installation/manager.ts';
import { OPENRC } from '#src/parts/host/installation/openrc.ts';
import { addressOf, fetchReadiness, fetchVersion, ownService } from '#src/parts/host/installation/readiness.ts';
import { SYSTEMD } from '#src/parts/host/installation/systemd.ts';

/** Every program that starts services and is known here. */
export const MANAGERS: readonly Manager[] = [SYSTEMD, OPENRC];

/** Full status of a service. */
export interface ServiceStatus extends ServiceState {
  /** Address and answer of the service; null if it does not run, or only the administrator can read its settings. */
  readonly service: {
    readonly url: string;
    readonly version: string | null;
    /** True if it is ready. */
    readonly ready: boolean;
    /** Problem of the service, as the end of a sentence. */
    readonly problem: string | null;
    readonly data_dir: string;
    /** Bytes in the data directory. */
    readonly data_bytes: number | null;
  } | null;
}

/** Settings of a running service. */
export type Started = ConfigFor<'healthcheck'> & Pick<Config, 'data_dir'>;

/** Describes a service by its manager and its answers. */
export async function statusOf(state: ServiceState, io: Io): Promise<ServiceStatus> {
  const started = state.pid === null ? null : await startedWith(state.pid, io);
  if (started === null) return { ...state, service: null };
  const own = ownService(started);
  const [{ problem }, version] = await Promise.all([fetchReadiness(own), fetchVersion(own)]);
  const { data_dir: dataDir } = started;
  return {
    ...state,
    service: {
      url: addressOf(own),
      version,
      ready: problem === null,
      problem,
      data_dir: dataDir,
      data_bytes: bytesIn(dataDir),
    },
  };
}

/** Command line of `lurecheck serve`. */
const SERVE: Grammar = { name: 'serve', operands: '', options: {} };

/** Reads the settings of a process from its command line and environment; null if they are inaccessible or invalid. */
export async function startedWith(pid: number, io: Io): Promise<Started | null> {
  try {
    const [, , ...flags] = listed(`/proc/${pid}/cmdline`);
    const environment = Object.fromEntries(
      listed(`/proc/${pid}/environ`).map((line) => [
        line.slice(0, line.indexOf('=')),
        line.slice(line.indexOf('=') + 1),
      ]),
    );
    const surroundings = { io: { ...io, environment }, allCommands: () => Promise.resolve([]) };
    return (await parseInvocation(SERVE, readArguments(SERVE, flags), surroundings)).config;
  } catch {
    return null;
  }
}

/** Reads a file of the system with values that end in a zero byte. */
const listed = (path: string) => readFileSync(path, 'utf8').split('\0').slice(0, -1);

function bytesIn(folder: string): number | null {
  try {
    const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  } catch {
    return null;
  }
}

/** A status in lines for people. */
export function describeStatus({ unit, isEnabled, activity, pid, service }: ServiceStatus): string {
  const lines = [`${unit}: ${activity}${isEnabled ? '' : ', not enabled at boot'}`];
  if (pid !== null) lines.push(`  process  ${pid}`);
  if (pid !== null && service === null) lines.push('  ready    unknown: only root can read how it was started');
  if (service !== null) {
    const { url, version, problem, data_dir: dataDir, data_bytes: bytes } = service;
    lines.push(`  version  ${version ?? 'unknown'}`);
    lines.push(`  ready    ${problem === null ? 'yes' : `no: ${problem}`}, at ${url}`);
    lines.push(`  data     ${dataDir}${bytes === null ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`}`);
  }
  return `${lines.join('\n')}\n`;
}
