import { existsSync, mkdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigFor } from '#src/app/config.ts';
import { lockFile } from '#src/checks/store/file/directory-lock.ts';
import { faultOf } from '#src/checks/store/file/fault.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { endlessFileProblem } from '#src/core/base/files/named-file.ts';
import type { Io } from '#src/core/base/io.ts';
import { IS_EXECUTABLE } from '#src/core/base/version.ts';
import { type Command, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import type { Manager, ServiceState } from '#src/parts/host/installation/manager.ts';
import { ownService } from '#src/parts/host/installation/readiness.ts';
import { finishUpgrade, type Outcome, rollBackUpgrade } from '#src/parts/host/upgrade/finish-upgrade.ts';
import {
  describeUpgrade,
  isUnfinished,
  readJournal,
  type Served,
  type ServiceToUpgrade,
} from '#src/parts/host/upgrade/journal.ts';
import { prepareUpgrade } from '#src/parts/host/upgrade/prepare.ts';
import { RELEASE_KEYS } from '#src/parts/host/upgrade/released-file.ts';
import { hasEarlier, replaceProgram, restoreEarlier } from '#src/parts/host/upgrade/replace-program.ts';
import {
  asRefusal,
  createUpgradeContext,
  refuseSharedFolder,
  UpgradeError,
  type UpgradePaths,
  upgradePaths,
} from '#src/parts/host/upgrade/upgrade-context.ts';
import { MANAGERS, type Started, startedWith } from './service.ts';

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
async function servicesOf(program: string, words: OperatorService, io: Io): Promise<ServiceToUpgrade[]> {
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
function operatorService(invocation: Pick<Invocation<Started>, 'config' | 'text'>): OperatorService {
  return { ...invocation.config, stop: invocation.text('stop'), start: invocation.text('start') };
}

const DEFAULT_PATIENCE_SECONDS = 300;

/** `lurecheck upgrade` */
export const upgradeCommand: Command<'upgrade'> = {
  name: 'upgrade',
  operands: '[FILE]',
  summary: 'replace this executable by a release, restart the service, and roll back if it fails',
  options: {
    older: { type: 'boolean', description: 'Accept an older version, or this one again.' },
    status: { type: 'boolean', description: 'Show the state of the last upgrade, and do nothing.' },
    back: {
      type: 'boolean',
      description: 'Roll back to the previous executable, with the logs in its format.',
    },
    wait: {
      type: 'string',
      value: 'SECONDS',
      description: `Seconds to wait until the service is ready. Default: ${DEFAULT_PATIENCE_SECONDS}.`,
    },
    stop: {
      type: 'string',
      value: 'COMMAND',
      description: 'Command that stops the service, if neither systemd nor OpenRC manages it.',
    },
    start: {
      type: 'string',
      value: 'COMMAND',
      description: 'Command that starts the service; given together with --stop.',
    },
  },
  examples: [
    {
      line: 'lurecheck upgrade /media/stick/lurecheck-0.2.0-linux-x64.tar.xz',
      purpose: 'Verify, try, back up, replace, restart, and roll back automatically on failure.',
    },
    { line: 'lurecheck upgrade', purpose: 'Complete an interrupted upgrade.' },
    { line: 'lurecheck upgrade --back', purpose: 'Roll back to the previous version.' },
  ],
  named: () => null,
  async run(invocation, io) {
    const [file, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`upgrade takes one file: unexpected "${extra}"`);
    if ((invocation.text('stop') === undefined) !== (invocation.text('start') === undefined)) {
      throw new UsageError('--stop and --start must be given together');
    }
    if (!IS_EXECUTABLE)
      throw new UsageError('only the compiled executable can be upgraded; build it first: bun run build');
    refuseUnreadable(file);
    const paths = upgradePaths(process.execPath);
    if (invocation.flag('status')) return await status(paths, io);
    refusePackaged(paths);
    const outcome = await withLockedPaths(paths, () => act(file, paths, invocation, io));
    if (outcome !== 'old_program_continues') return outcome;
    const ended = await handOver(paths, invocation, io);
    return invocation.flag('back') ? ended : 1;
  },
};

/** Runs work under the upgrade lock. */
async function withLockedPaths<T>(paths: UpgradePaths, work: () => Promise<T>): Promise<T> {
  using _ = lockPaths(paths);
  return await work();
}

/** Throws a UsageError for anything but a regular file. */
function refuseUnreadable(file: string | undefined): void {
  if (file === undefined) return;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`file not found: ${file}`);
  if (!found.isFile()) throw new UsageError(`${file} ${endlessFileProblem(file) ?? 'is not a release file'}`);
}

/** Runs the restored executable, which completes the rollback. */
async function handOver({ program }: UpgradePaths, invocation: Pick<Invocation, 'text'>, io: Io): Promise<ExitCode> {
  const wait = ['--wait', String(patienceOf(invocation) / 1000)];
  const child = Bun.spawn([program, 'upgrade', ...wait], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: io.environment,
  });
  return (await child.exited) === 0 ? 0 : 1;
}

async function act(
  file: string | undefined,
  paths: UpgradePaths,
  invocation: Invocation<ConfigFor<'upgrade'>>,
  io: Io,
): Promise<Outcome> {
  const context = createUpgradeContext(paths, io, { patienceMs: patienceOf(invocation), now: systemClock.now });
  const pending = readJournal(paths);
  const isBack = invocation.flag('back');
  if (file !== undefined) {
    if (isBack) throw new UsageError('--back takes no file: it rolls back to the previous executable');
    if (pending !== null && isUnfinished(pending)) {
      throw new UpgradeError(
        `the upgrade to ${pending.to.version} is not complete: complete it with \`lurecheck upgrade\`, or roll back with \`lurecheck upgrade --back\``,
      );
    }
    const services = await servicesOf(paths.program, operatorService(invocation), io);
    const { backup_key_file: backupKeyFile } = invocation.config;
    const order = { file, keys: RELEASE_KEYS, mayBeOlder: invocation.flag('older'), services, backupKeyFile };
    using prepared = await prepareUpgrade(order, context, io);
    return await uninterrupted(io, async () => {
      await replaceProgram(prepared, context);
      return await finishUpgrade(prepared.journal, context);
    });
  }
  if (pending === null)
    throw new UsageError(isBack ? 'there is no upgrade to roll back' : 'upgrade requires a release file');
  if (isBack && pending.state === 'returned') {
    if (!hasEarlier(paths)) {
      throw new UpgradeError(`already rolled back to ${pending.from.version}; no earlier version is stored`);
    }
    return await uninterrupted(io, async () => {
      await restoreEarlier(paths);
      return await rollBackUpgrade(readJournal(paths) ?? pending, 'requested by the operator', context);
    });
  }
  if (isBack) return await uninterrupted(io, () => rollBackUpgrade(pending, 'requested by the operator', context));
  if (!isUnfinished(pending)) throw new UsageError('upgrade requires a release file; no upgrade was interrupted');
  return await uninterrupted(io, () => finishUpgrade(pending, context));
}

/** Runs work that a signal must not interrupt. */
async function uninterrupted(io: Io, work: () => Promise<Outcome>): Promise<Outcome> {
  const stop = io.serve(() => {});
  stop.addEventListener('abort', () => {
    void io.stderr.write('lurecheck: ignored the signal: the upgrade or its rollback completes first\n');
  });
  return await work();
}

async function status(paths: UpgradePaths, io: Io): Promise<ExitCode> {
  const journal = readJournal(paths);
  await io.stdout.write(
    journal === null ? 'there is no upgrade to roll back\n' : await describeUpgrade(journal, paths),
  );
  return journal !== null && isUnfinished(journal) ? 1 : 0;
}

/** Refuses an executable of a package: the package manager would overwrite it at its next upgrade. */
function refusePackaged({ program }: UpgradePaths): void {
  const list = '/var/lib/dpkg/info/lurecheck.list';
  if (!existsSync(list)) return;
  if (!readFileSync(list, 'utf8').split('\n').includes(program)) {
    throw new UpgradeError(
      `the Debian package is installed, and ${program} does not belong to it: remove this copy, and use /usr/bin/lurecheck`,
    );
  }
  throw new UpgradeError(
    `${program} belongs to the Debian package: upgrade it with dpkg -i lurecheck_VERSION_ARCHITECTURE.deb`,
  );
}

function lockPaths(paths: UpgradePaths): Disposable {
  try {
    mkdirSync(paths.folder, { recursive: true, mode: 0o700 });
    refuseSharedFolder(paths);
    return lockFile(paths.lock);
  } catch (cause) {
    if (cause instanceof UpgradeError) throw cause;
    if (faultOf(cause)?.code !== 'busy') throw asRefusal(cause, paths.program);
    throw new UpgradeError('another upgrade is running: wait until it ends', { cause });
  }
}

function patienceOf(invocation: Pick<Invocation, 'text'>): number {
  const text = invocation.text('wait');
  if (text === undefined) return DEFAULT_PATIENCE_SECONDS * 1000;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--wait takes a number of seconds, not "${text}"`);
  return Number(text) * 1000;
}
