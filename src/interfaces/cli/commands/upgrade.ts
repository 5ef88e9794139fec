import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { systemClock } from '#src/core/base/clock.ts';
import { IS_EXECUTABLE } from '#src/core/base/is-executable.ts';
import { endlessFileProblem } from '#src/core/base/files/special-file.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { faultOf } from '#src/checks/store/file/fault.ts';
import { lockFile } from '#src/checks/store/file/file-lock.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '#src/core/base/io.ts';
import { RELEASE_KEYS } from '#src/admin/upgrade/released-file.ts';
import { refuseOthersFolder } from '#src/admin/upgrade/check-folder.ts';
import { openDesk } from '#src/admin/upgrade/upgrade-context.ts';
import { hasEarlier, restoreEarlier } from '#src/admin/upgrade/earlier.ts';
import { goBack, type Outcome } from '#src/admin/upgrade/roll-back.ts';
import { isUnfinished, readJournal } from '#src/admin/upgrade/journal.ts';
import { type UpgradePlace, upgradePlace } from '#src/admin/upgrade/upgrade-paths.ts';
import { prepareUpgrade } from '#src/admin/upgrade/prepare.ts';
import { replaceProgram } from '#src/admin/upgrade/replace-program.ts';
import { seeThrough } from '#src/admin/upgrade/finish-upgrade.ts';
import { ownWords, servicesOf } from '../upgrade/served.ts';
import { describeUpgrade } from '#src/admin/upgrade/status-text.ts';
import { asRefusal, UpgradeError } from '#src/admin/upgrade/upgrade-error.ts';
import { serveCommand } from './serve.ts';

const DEFAULT_PATIENCE_SECONDS = 300;

/** `lurecheck upgrade` */
export const upgradeCommand: Command<'upgrade'> = {
  name: 'upgrade',
  operands: '[FILE]',
  summary:
    'puts a released version in place of this executable, restarts the service, and goes back if it does not become ready',
  options: {
    older: { type: 'boolean', description: 'Take an older version, too, or this one again.' },
    status: { type: 'boolean', description: 'Say how the last upgrade stands, and do nothing.' },
    back: {
      type: 'boolean',
      description: 'Put the executable back that was here before, and what it needs of the logs.',
    },
    wait: {
      type: 'string',
      value: 'SECONDS',
      description: `How long the service may take to be ready. Default: ${DEFAULT_PATIENCE_SECONDS}.`,
    },
    stop: {
      type: 'string',
      value: 'COMMAND',
      description: 'What stops the service, where neither systemd nor OpenRC does.',
    },
    start: { type: 'string', value: 'COMMAND', description: 'What starts it. It is given with --stop.' },
  },
  examples: [
    {
      line: 'lurecheck upgrade /media/stick/lurecheck-0.2.0-linux-x64.tar.xz',
      purpose: 'Verify, try out, back up, replace, restart, and go back by itself if that does not work.',
    },
    { line: 'lurecheck upgrade', purpose: 'See one through that was interrupted.' },
    { line: 'lurecheck upgrade --back', purpose: 'Go back to the version before.' },
  ],
  named: () => null,
  async run(invocation, io) {
    const [file, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`upgrade takes one file, and "${extra}" is another`);
    if ((invocation.text('stop') === undefined) !== (invocation.text('start') === undefined)) {
      throw new UsageError('--stop and --start belong together');
    }
    if (!IS_EXECUTABLE) throw new UsageError('it is the executable that is upgraded; make it first: bun run build');
    refuseUnreadable(file);
    const place = upgradePlace(process.execPath);
    if (invocation.flag('status')) return await status(place, io);
    refusePackaged(place);
    const outcome = await atPlace(place, () => act(file, place, invocation, io));
    if (outcome !== 'for the old one') return outcome;
    const ended = await handOver(place, invocation, io);
    return invocation.flag('back') ? ended : 1;
  },
};

/** Does something while nobody else upgrades. */
async function atPlace<T>(place: UpgradePlace, work: () => Promise<T>): Promise<T> {
  using _ = lockPlace(place);
  return await work();
}

/** Throws a UsageError for what is no file of a release: nothing, a folder, a device, a named pipe or a socket. */
function refuseUnreadable(file: string | undefined): void {
  if (file === undefined) return;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`there is no file ${file}`);
  if (!found.isFile()) throw new UsageError(`${file} ${endlessFileProblem(file) ?? 'is no file of a release'}`);
}

/** Has the executable that stands in its place again see its own way back through. */
async function handOver({ program }: UpgradePlace, invocation: Pick<Invocation, 'text'>, io: Io): Promise<ExitCode> {
  const wait = ['--wait', String(patienceOf(invocation) / 1000)];
  const child = Bun.spawn([program, 'upgrade', ...wait], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: io.environment,
  });
  return (await child.exited) === 0 ? 0 : 1;
}

async function act(
  file: string | undefined,
  place: UpgradePlace,
  invocation: Invocation<ConfigFor<'upgrade'>>,
  io: Io,
): Promise<Outcome> {
  const desk = openDesk(place, io, { patienceMs: patienceOf(invocation), now: systemClock.now });
  const pending = readJournal(place);
  const isBack = invocation.flag('back');
  if (file !== undefined) {
    if (isBack) throw new UsageError('--back takes no file: it goes back to what was here before');
    if (pending !== null && isUnfinished(pending)) {
      throw new UpgradeError(
        `the upgrade to ${pending.to.version} is not at its end: \`lurecheck upgrade\` sees it through, \`lurecheck upgrade --back\` goes back`,
      );
    }
    const services = await servicesOf(place.program, ownWords(invocation), { serve: serveCommand, io });
    const { backup_key_file: backupKeyFile } = invocation.config;
    const order = { file, keys: RELEASE_KEYS, mayBeOlder: invocation.flag('older'), services, backupKeyFile };
    using prepared = await prepareUpgrade(order, desk, io);
    return await uninterrupted(io, async () => {
      await replaceProgram(prepared, desk);
      return await seeThrough(prepared.journal, desk);
    });
  }
  if (pending === null)
    throw new UsageError(isBack ? 'nothing was upgraded here' : 'upgrade takes a file of a release');
  if (isBack && pending.state === 'returned') {
    if (!hasEarlier(place)) {
      throw new UpgradeError(`${pending.from.version} is back already, and what was before it is not here any more`);
    }
    return await uninterrupted(io, async () => {
      await restoreEarlier(place);
      return await goBack(readJournal(place) ?? pending, 'it was asked for', desk);
    });
  }
  if (isBack) return await uninterrupted(io, () => goBack(pending, 'it was asked for', desk));
  if (!isUnfinished(pending)) throw new UsageError('upgrade takes a file of a release; none was interrupted');
  return await uninterrupted(io, () => seeThrough(pending, desk));
}

/** From here on a signal would leave the box with half of it. */
async function uninterrupted(io: Io, work: () => Promise<Outcome>): Promise<Outcome> {
  const stop = io.serve(() => {});
  stop.addEventListener('abort', () => {
    void io.stderr.write('lurecheck: the service is seen through to being ready first, or back\n');
  });
  return await work();
}

async function status(place: UpgradePlace, io: Io): Promise<ExitCode> {
  const journal = readJournal(place);
  await io.stdout.write(journal === null ? 'nothing was upgraded here\n' : await describeUpgrade(journal, place));
  return journal !== null && isUnfinished(journal) ? 1 : 0;
}

/** What a package manager keeps, it would find changed, and put back at its own next upgrade. */
function refusePackaged({ program }: UpgradePlace): void {
  const list = '/var/lib/dpkg/info/lurecheck.list';
  if (!existsSync(list) || !readFileSync(list, 'utf8').split('\n').includes(program)) return;
  throw new UpgradeError(
    `${program} belongs to Debian's package: upgrade that, by dpkg -i lurecheck_VERSION_ARCHITECTURE.deb`,
  );
}

function lockPlace(place: UpgradePlace): Disposable {
  try {
    mkdirSync(place.folder, { recursive: true, mode: 0o700 });
    refuseOthersFolder(place);
    return lockFile(place.lock);
  } catch (cause) {
    if (cause instanceof UpgradeError) throw cause;
    if (faultOf(cause)?.code !== 'busy') throw asRefusal(cause, place.program);
    throw new UpgradeError('another upgrade is at work: wait for its end', { cause });
  }
}

function patienceOf(invocation: Pick<Invocation, 'text'>): number {
  const text = invocation.text('wait');
  if (text === undefined) return DEFAULT_PATIENCE_SECONDS * 1000;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--wait takes a number of seconds, not "${text}"`);
  return Number(text) * 1000;
}
