import { existsSync, rmSync } from 'node:fs';
import { chmod, chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATIONS } from '#src/checks/store/file/migrate.ts';
import { fileStamp } from '#src/checks/store/file/open-or-replace.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { VERSION } from '#src/core/base/version.ts';
import { BackupError } from '#src/parts/backup/archive/backup-format.ts';
import { backupKeyToMake, WITHOUT_KEY } from '#src/parts/backup/archive/backup-mac.ts';
import { createBackup } from '#src/parts/backup/archive/create-backup.ts';
import { extractRelease } from './extract-release.ts';
import type { Journal, Served, ServiceToUpgrade } from './journal.ts';
import { digestOf } from './released-file.ts';
import { asRefusal, type UpgradeContext, UpgradeError } from './upgrade-context.ts';

/** More than the slowest machine needs for any of it. */
const TIMEOUT_MS = 120_000;

/** Returns the version that an executable reports. Throws UpgradeError if it does not start here. */
async function reportedVersion(program: string): Promise<string> {
  const said = await runProgram(program, ['version']);
  const version = /^lurecheck (\S+)\n$/.exec(said)?.[1];
  if (version === undefined)
    throw new UpgradeError(`The new executable does not report its version: ${visibleInTerminal(said)}`);
  return version;
}

/**
 * Runs an executable with an empty environment; returns its output.
 *
 * @throws UpgradeError with its output if it fails
 */
async function runProgram(program: string, args: readonly string[]): Promise<string> {
  const what = `the new executable does not work on this host: ${args[0]}`;
  try {
    const child = Bun.spawn([program, ...args], { stdout: 'pipe', stderr: 'pipe', env: {}, timeout: TIMEOUT_MS });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) === 0) return stdout;
    const said = visibleInTerminal(`${stdout}${stderr}`.trim().slice(0, 500));
    throw new UpgradeError(`${what} ended with ${child.signalCode ?? child.exitCode}: ${said}`);
  } catch (cause) {
    if (cause instanceof UpgradeError) throw cause;
    throw new UpgradeError(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Options of {@link prepareUpgrade}. */
interface UpgradeOrder {
  /** A file of a release. */
  readonly file: string;
  /** Public keys that are believed, as PEM. */
  readonly keys: string;
  /** Allows an older version, or the same one again. */
  readonly mayBeOlder: boolean;
  readonly services: readonly ServiceToUpgrade[];
  /** The file with the key of backups; null for that of each data directory. */
  readonly backupKeyFile: string | null;
}

/** An upgrade of which nothing is left to do but the replacing. Disposing of it removes what it was made of. */
export interface PreparedUpgrade extends Disposable {
  /** The new executable, on the file system of the old one. */
  readonly program: string;
  readonly journal: Journal;
}

/**
 * Does all that can be done before anything changes: verifies, tries out, backs up.
 *
 * @throws UpgradeError, which says that nothing was changed
 */
export async function prepareUpgrade(
  order: UpgradeOrder,
  context: UpgradeContext,
  { beforeExit }: Pick<Io, 'beforeExit'>,
): Promise<PreparedUpgrade> {
  const { folder, program: old } = context.paths;
  const clear = () => {
    for (const name of ['released', 'program']) rmSync(join(folder, name), { force: true });
  };
  using failing = new DisposableStack();
  failing.defer(clear);
  failing.use(beforeExit(() => failing.dispose()));
  try {
    const { path, sha256, key } = await extractRelease(order.file, { folder, keys: order.keys, like: old });
    await context.say(`${order.file}: authentic (key ${key})`);
    const to = { version: await reportedVersion(path), sha256 };
    checkVersion(order.file, to.version, order.mayBeOlder);
    await copyOwnership(path, old);
    const services = await tryAndBackUp(path, order, context, { beforeExit, failing });
    const from = { version: VERSION, sha256: await digestOf(old), schema: MIGRATIONS.length };
    const begunAt = new Date(context.now()).toISOString();
    failing.move();
    return {
      program: path,
      journal: { format: 1, state: 'replacing', begun_at: begunAt, from, to, services, reason: null },
      [Symbol.dispose]: clear,
    };
  } catch (error) {
    throw withNothingChanged(asRefusal(error, old));
  }
}

function checkVersion(file: string, version: string, mayBeOlder: boolean): void {
  const order = Bun.semver.order(version, VERSION);
  if (order > 0 || mayBeOlder) return;
  const what =
    order === 0 ? `is this version, ${version}` : `is ${version}, which is older than this version, ${VERSION}`;
  throw new UpgradeError(`${file} ${what}: pass --older to install it anyway.`);
}

/**
 * Tries the new executable with the data of each service, and backs them up. If the upgrade fails, the backups are
 * deleted with `failing`, because they are copies of private data.
 */
async function tryAndBackUp(
  program: string,
  { services: toUpgrade, backupKeyFile }: Pick<UpgradeOrder, 'services' | 'backupKeyFile'>,
  context: UpgradeContext,
  { beforeExit, failing }: Pick<Io, 'beforeExit'> & { readonly failing: DisposableStack },
): Promise<Served[]> {
  const services: Served[] = [];
  for (const service of toUpgrade) {
    const { data_dir: dataDir } = service;
    await runProgram(program, ['selftest', '--network', 'none', '--data-dir', dataDir]);
    if (!existsSync(join(dataDir, 'public.sqlite'))) {
      await context.warn(`${dataDir} has no log to back up; back up logs in databases yourself`);
      services.push({ ...service, backup: null });
      continue;
    }
    const backup = `${dataDir}-${fileStamp(context.now())}.backup`;
    const logger = createLogger('error', () => {});
    await using log = await openLocalLog({ dataDir, access: 'read', clock: systemClock, logger });
    const key = await backupKeyToMake({ data_dir: dataDir, backup_key_file: backupKeyFile });
    if (key === null) await context.warn(WITHOUT_KEY);
    const { checks } = await createBackup(backup, { dataDir, log, key, nowMs: context.now(), beforeExit });
    failing.defer(() => rmSync(backup, { force: true }));
    // A version that knows less of the formats than this one refuses it, as it would refuse the logs.
    await runProgram(program, ['backup', 'verify', backup]);
    await context.say(`created ${backup}: ${checks.public} public and ${checks.private} private checks`);
    services.push({ ...service, backup });
  }
  await context.say('the new executable starts on this host, passes its self-test, and reads the data');
  return services;
}

/** Gives a file the owner and the rights of another one. */
async function copyOwnership(path: string, other: string): Promise<void> {
  const { uid, gid, mode } = await stat(other);
  await chown(path, uid, gid);
  await chmod(path, mode & 0o7777);
}

/** A reader of a refusal first wants to know what has changed on the host. */
function withNothingChanged(error: unknown): unknown {
  const isRefusal = error instanceof UpgradeError || error instanceof StoreError || error instanceof BackupError;
  return isRefusal ? new UpgradeError(`${error.message} Nothing was changed.`, { cause: error }) : error;
}
