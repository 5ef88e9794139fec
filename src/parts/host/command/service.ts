import { existsSync, fstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config, ConfigFor } from '#src/app/config.ts';
import type { Io } from '#src/core/base/io.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { IS_EXECUTABLE } from '#src/core/base/version.ts';
import { readArguments } from '#src/interfaces/cli/arguments.ts';
import { type Command, choice, type Grammar, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { parseInvocation } from '#src/interfaces/cli/invocation.ts';
import { indentedJson, REPORT_FORMAT, wantsJson } from '#src/interfaces/cli/report-format.ts';
import type { Manager, ServiceState } from '#src/parts/host/installation/manager.ts';
import { OPENRC } from '#src/parts/host/installation/openrc.ts';
import { planBackupKey, planInstall } from '#src/parts/host/installation/plan-install.ts';
import { planRemoval } from '#src/parts/host/installation/plan-removal.ts';
import { addressOf, fetchReadiness, fetchVersion, ownService } from '#src/parts/host/installation/readiness.ts';
import {
  applyChange,
  describeChange,
  isEffective,
  type SystemChange,
} from '#src/parts/host/installation/system-change.ts';
import { SYSTEMD } from '#src/parts/host/installation/systemd.ts';

/** Every program that starts services and is known here. */
export const MANAGERS: readonly Manager[] = [SYSTEMD, OPENRC];

/** Full status of a service. */
interface ServiceStatus extends ServiceState {
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
async function statusOf(state: ServiceState, io: Io): Promise<ServiceStatus> {
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
function describeStatus({ unit, isEnabled, activity, pid, service }: ServiceStatus): string {
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

/** The key that signs the operator in to the console of a new installation. */
const FIRST_KEY = ['key', 'create', 'admin', '--scope', 'admin'] as const;

/** States what {@link printFirstKey} will do. */
const FIRST_KEY_PLAN = 'create  the key "admin" with the scope admin, and print it, unless a key exists\n';

/**
 * Creates the first key of the installation and prints it on a separate line; prints nothing if there is a key. It runs
 * the command `key` in a process of its own, which becomes the owner of the data directory. No key is printed to an
 * output that the journal stores. A failure is reported and does not undo the installation.
 *
 * @param program the executable
 */
async function printFirstKey(program: string, isQuiet: boolean, io: Io): Promise<void> {
  const { environment, stdout, stderr } = io;
  const sudo = environment['SUDO_UID'];
  // Settings of the operator's shell are not those of the service.
  const env = { PATH: environment['PATH'] ?? '', ...(sudo !== undefined && { SUDO_UID: sudo }) };
  const run = async (...args: readonly string[]) => {
    const child = Bun.spawn([program, ...args], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
    const [printed, said] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { printed, said, isDone: (await child.exited) === 0 };
  };
  const skip = async (why: string) =>
    await stderr.write(
      `lurecheck: no first key was created: ${why}; create it with lurecheck ${FIRST_KEY.join(' ')}\n`,
    );
  const found = await run('key', 'list', '--format', 'json');
  const keys = parseJson(found.printed);
  if (!found.isDone || !Array.isArray(keys))
    return await skip(`the keys cannot be read: ${found.said.trim().replace(/\n/g, '; ')}`);
  if (keys.length > 0) return;
  if (isJournal(environment)) return await skip('the journal would store it');
  const { printed, said } = await run(...FIRST_KEY);
  if (printed === '') return await skip(said.trim().replace(/\n/g, '; '));
  await stdout.write(printed);
  if (isQuiet) return;
  await stderr.write(
    'lurecheck: this is the first key, with the scope admin, for #/console of the page; store it, it is not shown again\n',
  );
}

/** Returns true if the journal stores this process's output (systemd.exec(5), `$JOURNAL_STREAM`). */
function isJournal(environment: Io['environment']): boolean {
  const stream = environment['JOURNAL_STREAM'];
  const { dev, ino } = fstatSync(1);
  return stream === `${dev}:${ino}`;
}

const MANAGER_NAMES = ['systemd', 'openrc'] as const;

/** `lurecheck service` */
export const serviceCommand: Command<'service'> = {
  name: 'service',
  operands: 'install | status | remove',
  summary: 'install, show and remove the system service (systemd or OpenRC)',
  options: {
    'dry-run': {
      type: 'boolean',
      description: 'Print what would be done, with the text of each file, and do nothing.',
    },
    root: { type: 'string', value: 'DIR', description: 'Install into, or remove from, another root directory.' },
    manager: {
      type: 'string',
      words: MANAGER_NAMES,
      description: 'Service manager of that host. Detected by default.',
    },
    browser: {
      type: 'boolean',
      description: 'With install: also install a browser as a unit of its own, for pages that scripts draw.',
    },
    'no-start': { type: 'boolean', description: 'Enable the service for the next boot without starting it.' },
    replace: { type: 'boolean', description: 'Overwrite files that were edited, and keep a copy beside them.' },
    purge: { type: 'boolean', description: 'With remove: delete data, settings and user, too. This cannot be undone.' },
    format: REPORT_FORMAT,
  },
  examples: [
    {
      line: 'lurecheck service install',
      purpose: 'As root: create user, unit, settings, data directory and the first key, and start the service.',
    },
    {
      line: 'lurecheck service install --browser',
      purpose: 'The same with lurecheck-browser.service, a browser with a user of its own that reaches loopback alone.',
    },
    { line: 'lurecheck service install --dry-run', purpose: 'Show what would be done, and change nothing.' },
    {
      line: 'lurecheck service status || echo "exit code $?"',
      purpose: 'Show unit, version, readiness and data directory; scripts use exit codes 0, 1, 3 and 4.',
    },
    { line: 'lurecheck service remove', purpose: 'Stop the service and remove its unit; data and settings stay.' },
  ],
  async run(invocation, io) {
    const [action, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`service ${action} takes no operand: unexpected "${extra}"`);
    if (action === 'status') return await status(invocation, io);
    if (action !== 'install' && action !== 'remove') {
      throw new UsageError(`service takes install, status or remove${action === undefined ? '' : `, not "${action}"`}`);
    }
    const isDry = invocation.flag('dry-run');
    if (!isDry && process.geteuid?.() !== 0) {
      throw new UsageError(
        `service ${action} changes system files: run it as root, or with --dry-run to see what it would do`,
      );
    }
    const root = rootOf(invocation);
    const manager = managerOf(invocation, root);
    // Before a service is started, a backup may be restored, which takes an empty data directory and may bring keys.
    const isFirst = action === 'install' && root === '/' && !invocation.flag('no-start');
    const plan = action === 'install' ? install(invocation, root, manager) : removal(invocation, root, manager);
    if (isDry) return await show(plan, isFirst ? FIRST_KEY_PLAN : '', io);
    await carry(plan, root, io);
    if (isFirst) await printFirstKey(process.execPath, invocation.isQuiet, io);
    return 0;
  },
};

function rootOf(invocation: Pick<Invocation, 'text'>): string {
  const text = invocation.text('root');
  if (text !== undefined && !existsSync(text)) throw new UsageError(`--root: folder not found: "${text}"`);
  return resolve(text ?? '/');
}

function managerOf(invocation: Pick<Invocation, 'text'>, root: string): Manager {
  const word = choice(invocation, 'manager', MANAGER_NAMES);
  const found = MANAGERS.find((one) => (word === undefined ? isInCharge(one, root) : one.name === word));
  if (found !== undefined) return found;
  throw new UsageError(
    'neither systemd nor OpenRC found: choose one with --manager, or start lurecheck serve by another service manager',
  );
}

const isInCharge = (manager: Manager, root: string) => (root === '/' ? manager.isRunning() : manager.isIn(root));

function install(invocation: Invocation, root: string, manager: Manager): SystemChange[] {
  if (!IS_EXECUTABLE)
    throw new UsageError('only the compiled executable can be installed; build it first: bun run build');
  const [isReplacing, isStarted] = [invocation.flag('replace'), !invocation.flag('no-start')];
  const hasBrowser = invocation.flag('browser');
  if (hasBrowser) requireBrowser(root, manager);
  const request = { root, manager, program: process.execPath, isReplacing, isStarted, hasBrowser };
  return [...planInstall(request), planBackupKey(root)];
}

/** Program that the unit of the browser starts. */
const BROWSER_PROGRAM = '/usr/bin/chromium-headless-shell';

function requireBrowser(root: string, { name, browserFile }: Manager): void {
  if (browserFile === null) throw new UsageError(`--browser requires systemd: ${name} has no unit for it`);
  if (existsSync(join(root, BROWSER_PROGRAM))) return;
  throw new UsageError(`--browser: ${BROWSER_PROGRAM} not found; on Debian: apt install chromium-headless-shell`);
}

function removal(invocation: Invocation, root: string, manager: Manager): SystemChange[] {
  return planRemoval({ root, manager, isPurging: invocation.flag('purge') });
}

async function show(plan: readonly SystemChange[], more: string, io: Io): Promise<0> {
  for (const change of plan) {
    const text = change.kind === 'file' ? change.text.replace(/^/gm, '        ').trimEnd().concat('\n') : '';
    await io.stdout.write(`${describeChange(change)}${text}`);
  }
  await io.stdout.write(more);
  if (!io.isQuiet) await io.stderr.write('lurecheck: dry run, nothing was changed\n');
  return 0;
}

async function carry(plan: readonly SystemChange[], root: string, io: Io): Promise<void> {
  // A stricter umask of the operator must not make system folders unreadable.
  process.umask(0o022);
  for (const change of plan) {
    await applyChange(change, root);
    await io.stdout.write(describeChange(change));
  }
  if (!plan.some(isEffective) && !io.isQuiet) await io.stderr.write('lurecheck: nothing to do\n');
}

/** Prints the status. Returns 0 if all services are ready, 1 if one is not, 3 if none runs, 4 if none is installed. */
async function status(invocation: Invocation, io: Io): Promise<ExitCode> {
  const isJson = wantsJson(invocation);
  const manager = MANAGERS.find((one) => one.isRunning());
  const states = (await manager?.states()) ?? [];
  const found = await Promise.all(states.map((state) => statusOf(state, io)));
  // Among several units, those that are neither enabled nor active are not shown.
  const shown =
    found.length > 1 ? found.filter(({ isEnabled, activity }) => isEnabled || activity !== 'stopped') : found;
  await io.stdout.write(
    isJson
      ? indentedJson({ manager: manager?.name ?? null, services: shown.map(asJson) })
      : shown.map(describeStatus).join('') || 'lurecheck is not installed as a service\n',
  );
  return exitCodeOf(shown);
}

const asJson = ({ isEnabled, ...status }: ServiceStatus) => ({ ...status, enabled: isEnabled });

function exitCodeOf(services: readonly ServiceStatus[]): ExitCode {
  if (services.length === 0) return 4;
  if (services.every(({ activity }) => activity === 'stopped')) return 3;
  const isWell = ({ activity, service }: ServiceStatus) => activity === 'running' && service?.ready !== false;
  return services.every(isWell) ? 0 : 1;
}
