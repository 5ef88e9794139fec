import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type BackupAbout, BackupError, damaged } from './backup-format.ts';
import { type BackupKey, type BackupOrigin, backupOriginOf } from './backup-mac.ts';
import { BACKUP_KEY } from './backup-names.ts';
import { readBackup } from './read-backup.ts';
import { takeWorkFolder } from './work-folder.ts';

/** What no file of a backup is called otherwise. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Where the files are until all of them are known to be right. */
const STAGE = '.restoring';

/** Options of a restore. */
export interface RestoreOptions {
  /** The key of this installation; null if there is none, so that no backup is proven to be its own. */
  readonly key: BackupKey | null;
  /** Whether it may be that of another installation or machine, or of nobody knows whom. */
  readonly mayBeForeign?: boolean;
  /** Returns what such a backup would bring, one item per line, out of the folder with its files. */
  readonly describe?: (folder: string) => Promise<readonly string[]>;
  /** Has what is begun cleared away where a signal ends the process before it is finished. */
  readonly beforeExit?: ((clear: () => void) => Disposable) | undefined;
}

/** Result of a restore. */
export interface RestoredBackup {
  readonly about: BackupAbout;
  readonly origin: BackupOrigin;
  /** What {@link RestoreOptions.describe} says of it; empty for a backup of this installation and machine. */
  readonly trustedContent: readonly string[];
}

/**
 * Puts what is in a backup into an empty data directory, or one that there is not yet; the key of backups alone may be there.
 * Nothing of it is left there where any of it is not as it was.
 *
 * @throws BackupError where the directory is not empty, or the backup cannot be used, or is not proven to be of this
 *   installation; StoreError where there is no room
 */
export async function restoreBackup(path: string, dataDir: string, options: RestoreOptions): Promise<RestoredBackup> {
  if (existsSync(dataDir) && (await readdir(dataDir)).some((name) => name !== STAGE && !name.startsWith(BACKUP_KEY))) {
    throw new BackupError(
      `${dataDir} is not empty, and nothing is overwritten: choose another --data-dir, or empty it.`,
    );
  }
  try {
    using stage = takeWorkFolder(join(dataDir, STAGE));
    using _ = options.beforeExit?.(() => stage[Symbol.dispose]());
    await chmod(dataDir, 0o700);
    const read = await readBackup(path, async (name, bytes) => {
      if (!NAME.test(name) || name.startsWith(BACKUP_KEY)) throw damaged(path, `it holds ${JSON.stringify(name)}`);
      await write(join(stage.path, name), bytes);
    });
    // Of what was just written, not of what lies at the path by now.
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
