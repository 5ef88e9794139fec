import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { readModelChoice } from '#src/admin/active/installed-models.ts';
import { readPackState } from '#src/admin/active/pack-state.ts';
import { readKeyFile } from '#src/admin/keys/api-key.ts';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { type BackupAbout, BackupError, damaged } from './backup-format.ts';
import { BACKUP_KEY, type BackupKey, type BackupOrigin, backupOriginOf } from './backup-mac.ts';
import { readBackup } from './read-backup.ts';
import { takeWorkFolder } from './work-folder.ts';

/** More items of one kind are counted, not named. */
const MAX_NAMED = 20;

/** Content of a data directory that grants trust, by kind. */
const KINDS: readonly (readonly [string, (folder: string) => Promise<readonly string[]>])[] = [
  ['keys', async (folder) => readKeyFile(folder).map(({ name, scopes }) => `${name} (${scopes.join(', ')})`)],
  [
    'publishers',
    async (folder) =>
      readPackState(folder).publishers.map(
        ({ name, fingerprint, revoked }) => `${name} ${fingerprint}${revoked === null ? '' : ' (revoked)'}`,
      ),
  ],
  [
    'lists',
    async (folder) =>
      (await readListState(folder)).lists.map(({ name, action, entries }) => `${name} (${action}, ${entries})`),
  ],
  ['brands', async (folder) => readConfiguredBrandsFile(folder).map(({ name }) => name)],
  ['model', async (folder) => [(await readModelChoice(folder)).version].filter((version) => version !== null)],
];

/**
 * Returns what the files of a data directory would have this installation trust, one kind per line: API keys, publishers of
 * packs, lists, brands and the model. Names are untrusted.
 */
export async function trustedContentIn(folder: string): Promise<string[]> {
  return await Promise.all(KINDS.map(async ([kind, read]) => `${kind}: ${await named(folder, read)}`));
}

async function named(folder: string, read: (folder: string) => Promise<readonly string[]>): Promise<string> {
  try {
    const names = await read(folder);
    const more = names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : [];
    return [...names.slice(0, MAX_NAMED), ...more].join(', ') || 'none';
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return 'an unreadable file';
  }
}

/** Allowed paths of a backup's files. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Folder of the files until all are verified. */
const STAGE = '.restoring';

/** Options of a restore. */
export interface RestoreOptions {
  /** The key of this installation; null if there is none, so that no backup counts as its own. */
  readonly key: BackupKey | null;
  /** Accepts a backup of another installation or host, or of unknown origin. */
  readonly mayBeForeign?: boolean;
  /** Returns what such a backup would bring, one item per line, out of the folder with its files. */
  readonly describe?: (folder: string) => Promise<readonly string[]>;
  /** Registers cleanup of an unfinished restore for a process that a signal ends. */
  readonly beforeExit?: ((clear: () => void) => Disposable) | undefined;
}

/** Result of a restore. */
export interface RestoredBackup {
  readonly about: BackupAbout;
  readonly origin: BackupOrigin;
  /** Output of {@link RestoreOptions.describe}; empty for a backup of this installation and host. */
  readonly trustedContent: readonly string[];
}

/**
 * Restores a backup to a data directory that is empty or does not exist; it may contain the key of backups. Nothing is
 * restored unless all files are verified.
 *
 * @throws BackupError if the directory is not empty, the backup is unusable, or not proven to be of this installation;
 * StoreError if the directory is a file, or the disk is full
 */
export async function restoreBackup(path: string, dataDir: string, options: RestoreOptions): Promise<RestoredBackup> {
  try {
    const found = existsSync(dataDir) ? await readdir(dataDir) : [];
    if (found.some((name) => name !== STAGE && !name.startsWith(BACKUP_KEY))) {
      throw new BackupError(
        `${dataDir} is not empty, and nothing is overwritten: choose another --data-dir, or empty it.`,
      );
    }
    using stage = takeWorkFolder(join(dataDir, STAGE));
    using _ = options.beforeExit?.(() => stage[Symbol.dispose]());
    await chmod(dataDir, 0o700);
    const read = await readBackup(path, async (name, bytes) => {
      if (!NAME.test(name) || name.startsWith(BACKUP_KEY)) throw damaged(path, `it holds ${JSON.stringify(name)}`);
      await write(join(stage.path, name), bytes);
    });
    // Use the manifest of the restored files; the file at the path may have changed since.
    const { about } = read;
    const origin = backupOriginOf(path, read, options.key);
    const doubt = doubtOf(path, about, origin);
    const trustedContent = doubt === null ? [] : ((await options.describe?.(stage.path)) ?? []);
    if (doubt !== null && options.mayBeForeign !== true) throw refused(doubt, trustedContent);
    // The logs last: a service that is started meanwhile finds none of them, or all that belongs to them.
    const names = (await readdir(stage.path)).filter((name) => NAME.test(name)).toSorted((a, b) => rank(a) - rank(b));
    for (const name of names) await rename(join(stage.path, name), join(dataDir, name));
    return { about, origin, trustedContent };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw asStoreError(dataDir, error);
  }
}

/** Why a backup may not be this installation's own, in a sentence; null if it is. */
function doubtOf(path: string, { machine }: BackupAbout, origin: BackupOrigin): string | null {
  if (origin === 'unsigned') return `${path} has no MAC: an older version created it, or the MAC was removed.`;
  if (origin === 'foreign') {
    return `${path} is from another installation, or the key of this one is missing: put your copy of backup.key into the data directory, or name it with --backup-key-file.`;
  }
  if (machine === undefined || machine === hostname()) return null;
  return `${path} was created on ${machine}, and this host is ${hostname()}.`;
}

function refused(doubt: string, trustedContent: readonly string[]): BackupError {
  const brought =
    trustedContent.length === 0
      ? ''
      : ` It would restore:\n${trustedContent.map((line) => `  ${visibleInTerminal(line)}\n`).join('')}`;
  return new BackupError(
    `${visibleInTerminal(doubt)}${brought === '' ? ' ' : brought}To restore it anyway, pass --foreign. Nothing was changed.`,
  );
}

const rank = (name: string) => (name.endsWith('.sqlite') ? 1 : 0);

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  await using file = await open(path, 'r');
  await file.sync();
}
