import { createHmac, timingSafeEqual } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { INSTALLED_BACKUP_KEY } from '#src/admin/installation/installation.ts';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import { readNamedKey, readOrMakeSecretKey, readSecretKey } from '#src/checks/store/file/secret-key.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { type BackedUpFile, BackupError, type BackupMac } from './backup-format.ts';
import { BACKUP_KEY } from './backup-names.ts';

/**
 * The key of an installation. No backup contains it, so that nobody who can only write a backup file can create its
 * MAC.
 */
export interface BackupKey {
  /** Names the key without telling it: 16 hexadecimal digits. */
  readonly id: string;
  /** Returns the MAC of the files of a backup, in hexadecimal. */
  macOf(files: readonly BackedUpFile[]): string;
  /** A key that this installation used before; null if there is none. */
  readonly former?: BackupKey | null;
}

/**
 * Who made a backup: this installation, since its MAC holds; another one, or one whose key was lost; or nobody knows, since it
 * has no MAC, as those of older versions and those from which somebody took it.
 */
export type BackupOrigin = 'own' | 'foreign' | 'unsigned';

/** Derives what a key is used for, so that its name says nothing of its MACs. HMAC-SHA-256 (RFC 2104). */
function backupKeyOf(secret: Buffer): BackupKey {
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  return {
    id: hmac('lurecheck backup key').slice(0, 16),
    // No name holds a space or a line break.
    macOf: (files) =>
      hmac(['lurecheck backup', ...files.map(({ name, bytes, sha256 }) => `${name} ${bytes} ${sha256}`)].join('\n')),
  };
}

/** What says where the key is. */
export type BackupKeySettings = Pick<StoreSettings, 'data_dir' | 'backup_key_file'>;

/**
 * Returns the key with which backups are created: from the file that the operator named, otherwise that of the installed
 * service, otherwise from the data directory, where the first backup creates it. Null if that is impossible, as on a full
 * disk, where a backup is wanted nevertheless.
 *
 * @throws OperationError if the named file has no key; StoreError if another one holds something else
 */
export async function backupKeyToMake({
  data_dir: dataDir,
  backup_key_file: path,
}: BackupKeySettings): Promise<BackupKey | null> {
  const named = (await readNamedKey('backup_key_file', path)) ?? installedKey();
  if (named !== null) return backupKeyOf(named);
  try {
    return backupKeyOf(readOrMakeSecretKey(keyIn(dataDir)));
  } catch (error) {
    if (error instanceof StoreError) throw error;
    return null;
  }
}

/** What is to be said of a backup that was made without a key. */
export const WITHOUT_KEY =
  'this backup has no MAC, so its origin cannot be verified later: backup.key cannot be written in the data directory';

/**
 * Returns the key by which backups are verified, with that of the data directory as the former one if both exist; null if
 * there is none. Throws as {@link backupKeyToMake}.
 */
export async function backupKeyToVerify({
  data_dir: dataDir,
  backup_key_file: path,
}: BackupKeySettings): Promise<BackupKey | null> {
  const named = await readNamedKey('backup_key_file', path);
  if (named !== null) return backupKeyOf(named);
  const [installed, local] = [installedKey(), keyFound(keyIn(dataDir))];
  if (installed === null || local === null) return keyOrNull(installed ?? local);
  return { ...backupKeyOf(installed), former: backupKeyOf(local) };
}

/** Returns the file that holds the key of these settings. */
export function backupKeyPath({ data_dir: dataDir, backup_key_file: path }: BackupKeySettings): string {
  return path ?? (installedKey() === null ? keyIn(dataDir) : INSTALLED_BACKUP_KEY);
}

/** Returns the key of the installed service; null if there is none for this user. */
function installedKey(): Buffer | null {
  try {
    accessSync(INSTALLED_BACKUP_KEY, constants.R_OK);
  } catch {
    return null;
  }
  return keyFound(INSTALLED_BACKUP_KEY);
}

const keyOrNull = (secret: Buffer | null) => secret && backupKeyOf(secret);

function keyFound(path: string): Buffer | null {
  try {
    return readSecretKey(path);
  } catch (error) {
    throw asStoreError(path, error);
  }
}

const keyIn = (dataDir: string) => join(dataDir, BACKUP_KEY);

/**
 * Says who made a backup whose files are as its manifest has them.
 *
 * @throws BackupError if the MAC is one of this key and does not hold: somebody changed the backup
 */
export function backupOriginOf(
  path: string,
  { files, mac }: { readonly files: readonly BackedUpFile[]; readonly mac: BackupMac | null },
  key: BackupKey | null,
): BackupOrigin {
  if (mac === null) return 'unsigned';
  const own = [key, key?.former].find((one) => one?.id === mac.key);
  if (!own) return 'foreign';
  if (timingSafeEqual(Buffer.from(mac.hmac_sha256), Buffer.from(own.macOf(files)))) return 'own';
  throw new BackupError(`${path} was changed after it was created: its MAC does not match. Use another backup.`);
}
