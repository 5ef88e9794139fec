import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readdirSync } from 'node:fs';
import { copyFile, link, mkdir, open, rename, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { feedbackFileIn, hasFeedback } from '#src/checks/store/feedback/feedback-file.ts';
import { backUp } from '#src/checks/store/file/backup.ts';
import { openDatabase } from '#src/checks/store/file/database.ts';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import {
  ABOUT_FILE,
  aboutNow,
  type BackedUpFile,
  type BackupAbout,
  BackupError,
  type BackupManifest,
  MANIFEST_FILE,
} from './backup-format.ts';
import type { BackupKey } from './backup-mac.ts';
import { readBackupAbout } from './read-backup.ts';
import { makeWorkFolder, WORK_FOLDER } from './work-folder.ts';

/** Files of one process, files that a service derives from the logs, and databases, which are copied separately. */
const EXCLUDED =
  /^(?:serve\.|(?:public|private|feedback)\.|(?:retention|examined)\.clock$|audit\.lock$|backup\.key|\.)|\.new$/;

/** Default folder of scheduled backups. */
const SCHEDULED = 'backups/';

/** State files, which name others: the active lists, models and packs. */
const STATE = /\.json$/;

/** Allowed names of files in a backup; other files in a data directory are not the program's. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * Returns the paths of the files to back up besides the logs: keys, configured brands, models, and any file that is
 * added in future.
 */
function filesBesideLogs(dataDir: string): string[] {
  return filesIn(dataDir, dataDir)
    .filter((name) => !EXCLUDED.test(name) && !name.startsWith(SCHEDULED))
    .toSorted();
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!NAME.test(entry.name)) return [];
    if (entry.isDirectory()) return WORK_FOLDER.test(entry.name) ? [] : filesIn(root, path);
    return entry.isFile() ? [relative(root, path)] : [];
  });
}

/** Options of a backup. */
interface BackupOrder {
  readonly dataDir: string;
  /** Its logs; a service may go on writing to them. */
  readonly log: Pick<LocalLog, 'backUp' | 'size' | 'examine'>;
  readonly nowMs: number;
  /** The key of the MAC; null for a backup without one. */
  readonly key: BackupKey | null;
  /** On which machine; this one by default. */
  readonly machine?: string;
  /** Registers cleanup of an unfinished backup for a process that a signal ends. */
  readonly beforeExit?: ((clear: () => void) => Disposable) | undefined;
}

/**
 * Backs up a data directory to one file, readable by this user alone: a consistent snapshot of each log, and the other
 * files. The file appears as a whole or not at all, and never replaces another.
 *
 * @throws BackupError if the file exists, its folder does not, or a log is damaged; StoreError if the logs cannot be
 * read, or the disk is full
 */
export async function createBackup(path: string, order: BackupOrder): Promise<BackupAbout> {
  const { dataDir, log, nowMs } = order;
  if (existsSync(path)) throw exists(path);
  const folder = dirname(path);
  if (!existsSync(folder)) throw new BackupError(`the folder of the backup does not exist: ${folder}`);
  for (const visibility of VISIBILITIES) {
    const damage = await log.examine(visibility);
    if (damage !== null) throw damaged(visibility, dataDir);
  }
  const checks = { public: log.size('public').checks, private: log.size('private').checks };
  const about = aboutNow(nowMs, order.machine ?? hostname(), checks);
  try {
    using work = makeWorkFolder(path);
    using _ = order.beforeExit?.(() => work[Symbol.dispose]());
    const draft = join(work.path, 'backup');
    await writeArchive(draft, about, order.key, [
      ...copyLogs(log, work.path),
      ...copyFeedback(dataDir, work.path),
      ...(await otherFiles(dataDir, work.path)),
    ]);
    await moveIntoPlace(draft, path);
  } catch (error) {
    throw error instanceof BackupError ? error : asStoreError(path, error);
  }
  return about;
}

interface Source {
  readonly name: string;
  readonly from: string;
}

function copyLogs(log: BackupOrder['log'], work: string): Source[] {
  return VISIBILITIES.map((visibility) => {
    const from = join(work, `${visibility}.sqlite`);
    log.backUp(visibility, from);
    return verifiedCopy({ name: `${visibility}.sqlite`, from }, `The ${visibility} log`);
  });
}

/** Others may write to it meanwhile, and what they have written lies in several files. */
function copyFeedback(dataDir: string, work: string): Source[] {
  if (!hasFeedback(dataDir)) return [];
  const path = feedbackFileIn(dataDir);
  const copy = { name: basename(path), from: join(work, basename(path)) };
  using database = openDatabase(path);
  backUp(database, copy.from);
  return [verifiedCopy(copy, 'The feedback')];
}

/** A copy that could not be restored would be found out when it is needed. */
function verifiedCopy(copy: Source, what: string): Source {
  using database = openDatabase(copy.from);
  const found = database.query<{ quick_check: string }, []>('pragma quick_check').get()?.quick_check;
  if (found !== 'ok') throw new BackupError(`${what} is damaged: ${found}.`);
  return copy;
}

/**
 * Returns the other files but backups. State files are copied before the rest is listed: what they name exists, and
 * stays for many changes, which may follow while the logs are written.
 */
async function otherFiles(dataDir: string, work: string): Promise<Source[]> {
  const states: Source[] = [];
  for (const name of filesBesideLogs(dataDir).filter((one) => STATE.test(one))) {
    const from = join(work, 'states', name);
    await mkdir(dirname(from), { recursive: true });
    await copyFile(join(dataDir, name), from);
    states.push({ name, from });
  }
  const others = filesBesideLogs(dataDir).filter((one) => !STATE.test(one));
  const sources = others.map((name) => ({ name, from: join(dataDir, name) }));
  const areBackups = await Promise.all(sources.map(({ from }) => isBackup(from)));
  return [...states, ...sources.filter((_, at) => areBackups[at] === false)];
}

async function isBackup(path: string): Promise<boolean> {
  return await readBackupAbout(path).then(
    () => true,
    () => false,
  );
}

async function writeArchive(
  path: string,
  about: BackupAbout,
  key: BackupKey | null,
  sources: readonly Source[],
): Promise<void> {
  await writeFile(path, '', { mode: 0o600, flag: 'wx' });
  const archive = pack();
  const written = pipeline(archive, createWriteStream(path, { flags: 'r+' }));
  try {
    const files: BackedUpFile[] = [await addText(archive, ABOUT_FILE, about)];
    for (const source of sources) files.push(...(await addFile(archive, source)));
    const mac = key && { key: key.id, hmac_sha256: key.macOf(files) };
    const manifest: BackupManifest = mac === null ? { files } : { files, mac };
    await addText(archive, MANIFEST_FILE, manifest);
    archive.finalize();
  } catch (error) {
    archive.destroy();
    await written.catch(() => {});
    throw error;
  }
  await written;
  await using file = await open(path, 'r');
  await file.sync();
}

async function addText(archive: Pack, name: string, value: object): Promise<BackedUpFile> {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  archive.entry({ name, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve()));
  await promise;
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Adds a file, unless it was removed since it was listed: the state no longer needs it. */
async function addFile(archive: Pack, { name, from }: Source): Promise<BackedUpFile[]> {
  if (!existsSync(from)) return [];
  const { size } = await stat(from);
  const hash = createHash('sha256');
  async function* bytes(): AsyncGenerator<Uint8Array> {
    // Write exactly the announced size, even if the file grows meanwhile.
    for await (const chunk of size > 0 ? createReadStream(from, { end: size - 1 }) : []) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(bytes(), archive.entry({ name, size, mode: 0o600 }));
  return [{ name, bytes: size, sha256: hash.digest('hex') }];
}

/** Gives it its name, unless that is taken by now. */
async function moveIntoPlace(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch {
    if (existsSync(path)) throw exists(path);
    // Some file systems have no links, such as those of most removable media.
    await rename(draft, path);
  }
}

function damaged(visibility: Visibility, dataDir: string): BackupError {
  return new BackupError(
    `${join(dataDir, `${visibility}.sqlite`)} is damaged. lurecheck serve sets it aside within seconds, or at its next start, and copies its readable checks into a new file: create the backup after that.`,
  );
}

function exists(path: string): BackupError {
  return new BackupError(`${path} already exists, and a backup does not replace a file: choose another name.`);
}
