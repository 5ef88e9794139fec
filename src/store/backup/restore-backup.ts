import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { asStoreError } from '../file/fault.ts';
import { BackupError, damaged, ofAnother } from './backup-format.ts';
import { type ReadBackup, readBackup, readBackupAbout } from './read-backup.ts';
import { takeWorkFolder } from './work-folder.ts';

/** What no file of a backup is called otherwise. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Where the files are until all of them are known to be right. */
const STAGE = '.restoring';

/** How a backup is brought back. */
export interface RestoreOptions {
  /** Whether it may be that of another machine. */
  readonly mayBeOfAnother?: boolean;
  /** Has what is begun cleared away where a signal ends the process before it is finished. */
  readonly beforeEnd?: ((clear: () => void) => Disposable) | undefined;
}

/**
 * Puts what is in a backup into an empty data directory, or one that there is not yet. Nothing of it is left there where any of
 * it is not as it was.
 *
 * @throws BackupError where the directory is not empty, or the backup cannot be used, or is that of another machine; StoreError where there is no room
 */
export async function restoreBackup(
  path: string,
  dataDir: string,
  { beforeEnd, mayBeOfAnother = false }: RestoreOptions = {},
): Promise<ReadBackup> {
  if (existsSync(dataDir) && (await readdir(dataDir)).some((name) => name !== STAGE)) {
    throw new BackupError(
      `${dataDir} is not empty, and nothing is written over: name another --data-dir, or empty it.`,
    );
  }
  try {
    using stage = takeWorkFolder(join(dataDir, STAGE));
    using _ = beforeEnd?.(() => stage[Symbol.dispose]());
    await chmod(dataDir, 0o700);
    const { machine } = await readBackupAbout(path);
    if (!mayBeOfAnother && machine !== undefined && machine !== hostname()) throw ofAnother(path, machine, hostname());
    const read = await readBackup(path, async (name, bytes) => {
      if (!NAME.test(name)) throw damaged(path, `it holds ${JSON.stringify(name)}`);
      await write(join(stage.path, name), bytes);
    });
    // The logs last: a service that is started meanwhile finds none of them, or all that belongs to them.
    const names = (await readdir(stage.path)).filter((name) => NAME.test(name)).toSorted((a, b) => rank(a) - rank(b));
    for (const name of names) await rename(join(stage.path, name), join(dataDir, name));
    return read;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw asStoreError(dataDir, error);
  }
}

const rank = (name: string) => (name.endsWith('.sqlite') ? 1 : 0);

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  await using file = await open(path, 'r');
  await file.sync();
}
