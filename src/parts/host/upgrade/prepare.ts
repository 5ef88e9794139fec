import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { chmod, chown, copyFile, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { XzReadableStream } from 'xz-decompress';
import { MIGRATIONS } from '#src/checks/store/file/migrate.ts';
import { fileStamp } from '#src/checks/store/file/open-or-replace.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import type { Io } from '#src/core/base/io.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { VERSION } from '#src/core/base/version.ts';
import { BackupError } from '#src/parts/backup/archive/backup-format.ts';
import { backupKeyToMake, WITHOUT_KEY } from '#src/parts/backup/archive/backup-mac.ts';
import { createBackup } from '#src/parts/backup/archive/create-backup.ts';
import type { Journal, Served, ServiceToUpgrade } from './journal.ts';
import { digestOf, VERIFICATION_ERRORS, verifyReleased } from './released-file.ts';
import { asRefusal, type UpgradeContext, UpgradeError } from './upgrade-context.ts';

/** Bytes of a program that identify its platform: its headers and the name of its loader. */
export const HEAD_BYTES = 8192;

/** Processors by `e_machine` (elf(5)). */
const PROCESSORS: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' };

/** The type of the program header that names the loader. */
const PT_INTERP = 3;

/**
 * Returns the platform of a program as releases are named: `linux-x64`, `linux-arm64-musl`; null if it is not a program
 * for Linux on one of their processors.
 *
 * @param head its first {@link HEAD_BYTES} bytes, or all if it has fewer
 */
export function platformOf(head: Uint8Array): string | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  // 64 bits, the lowest byte first.
  if (bytes.length < 64 || bytes.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') return null;
  const processor = PROCESSORS[bytes.readUInt16LE(18)];
  if (processor === undefined) return null;
  return `linux-${processor}${/musl/.test(loaderIn(bytes)) ? '-musl' : ''}`;
}

/** Returns the path of the loader; empty if the head does not name one. */
function loaderIn(bytes: Buffer): string {
  const [start, size, count] = [Number(bytes.readBigUInt64LE(32)), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  for (let n = 0; n < count; n++) {
    const header = bytes.subarray(start + n * size, start + (n + 1) * size);
    if (header.length < 40 || header.readUInt32LE(0) !== PT_INTERP) continue;
    const [at, length] = [Number(header.readBigUInt64LE(8)), Number(header.readBigUInt64LE(32))];
    return bytes.toString('latin1', at, at + length);
  }
  return '';
}

/** An executable that was released, on this disk. */
interface ReleasedProgram {
  readonly path: string;
  readonly sha256: string;
  /** Identifier of the key that signed its release. */
  readonly key: string;
}

/** The executable in the archive of a release: `lurecheck-0.2.0-linux-x64/lurecheck`. */
const IN_ARCHIVE = /^[^/]+\/lurecheck$/;

/**
 * Copies a release file into a folder, verifies the copy, which no other user can change, and extracts the executable.
 *
 * @param keys trusted public keys, as PEM
 * @throws UpgradeError if it is not genuine, or contains no executable for the platform of `like`
 */
export async function extractRelease(
  file: string,
  { folder, keys, like }: { readonly folder: string; readonly keys: string; readonly like: string },
): Promise<ReleasedProgram> {
  const [copy, path] = [join(folder, 'released'), join(folder, 'program')];
  await checkReadable(file);
  // Remove leftovers, which may be links that a write would follow.
  for (const left of [copy, path]) await rm(left, { recursive: true, force: true });
  await copyFile(file, copy);
  const found = await verifyReleased(file, keys, copy);
  if (!('key' in found)) throw new UpgradeError(`${file} ${VERIFICATION_ERRORS[found.kind]}.`);
  const kind = kindOf(await headOf(copy));
  if (kind === 'program') await copyFile(copy, path);
  else if (kind === 'tar.xz' || kind === 'tar.gz') await unpack(file, readersOf[kind](Bun.file(copy)), path);
  else throw new UpgradeError(`${file} ${OTHERS[kind]}.`);
  await using program = await open(path, 'r+');
  await program.chmod(0o755);
  await program.sync();
  await checkPlatform(file, path, like);
  return { path, sha256: await digestOf(path), key: found.key };
}

/** Throws UpgradeError if the file is unreadable, so that later errors are not attributed to it. */
async function checkReadable(file: string): Promise<void> {
  const problem = await Bun.file(file)
    .slice(0, 1)
    .bytes()
    .then(() => null, readErrorText);
  if (problem !== null) throw new UpgradeError(`${file} ${problem}.`);
}

/** Genuine files that cannot be used here, described as the end of a sentence. */
const OTHERS = {
  package: 'is a Debian package: install it with dpkg -i, and restart the service',
  other: 'is from this release, but has no executable: use its archive, lurecheck-VERSION-PLATFORM.tar.xz',
} as const;

function kindOf(head: Uint8Array): 'program' | 'tar.xz' | 'tar.gz' | keyof typeof OTHERS {
  const begins = (text: string, bytes: readonly number[] = []) =>
    Buffer.from(head).indexOf(Buffer.concat([Buffer.from(bytes), Buffer.from(text)])) === 0;
  if (begins('ELF', [0x7f])) return 'program';
  // The .xz file format 1.2.1, §2.1.1.1.
  if (begins('7zXZ', [0xfd])) return 'tar.xz';
  // RFC 1952 §2.3.1; releases before 0.2.0.
  if (begins('', [0x1f, 0x8b])) return 'tar.gz';
  return begins('!<arch>') ? 'package' : 'other';
}

/** Decompressed in the program, since an appliance may lack xz. */
const readersOf = {
  'tar.xz': (archive: Blob) => new XzReadableStream(archive.stream()),
  'tar.gz': (archive: Blob) => archive.stream().pipeThrough(new DecompressionStream('gzip')),
};

async function unpack(file: string, tar: ReadableStream<Uint8Array>, to: string): Promise<void> {
  const entries = extract();
  const unpacked = pipeline(Readable.fromWeb(tar), entries);
  let isFound = false;
  for await (const entry of entries) {
    const isProgram: boolean = !isFound && entry.header.type === 'file' && IN_ARCHIVE.test(entry.header.name);
    isFound ||= isProgram;
    if (isProgram) await pipeline(entry, createWriteStream(to));
    else entry.resume();
  }
  await unpacked;
  if (!isFound) throw new UpgradeError(`${file} ${OTHERS.other}.`);
}

async function checkPlatform(file: string, path: string, like: string): Promise<void> {
  const [theirs, ours] = [platformOf(await headOf(path)), platformOf(await headOf(like))];
  if (theirs === ours) return;
  throw new UpgradeError(
    `${file} is for ${theirs ?? 'another system'}, and this host is ${ours ?? 'another'}: use lurecheck-VERSION-${ours}.tar.xz.`,
  );
}

async function headOf(path: string): Promise<Uint8Array> {
  return await Bun.file(path).slice(0, HEAD_BYTES).bytes();
}

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
