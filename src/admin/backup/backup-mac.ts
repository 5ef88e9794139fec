import { createHmac, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
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
 * Returns the key with which backups are created: from the file that the operator named, otherwise from the data
 * directory, where the first backup creates it. Null if that is impossible, as on a full disk, where a backup is wanted
 * nevertheless.
 *
 * @throws SettingsError if the named file has no key; StoreError if that of the data directory holds something else
 */
export async function backupKeyToMake({
  data_dir: dataDir,
  backup_key_file: path,
}: BackupKeySettings): Promise<BackupKey | null> {
  const named = await readNamedKey('backup_key_file', path);
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

/** Returns the key by which backups are verified; null if there is none. Throws as {@link backupKeyToMake}. */
export async function backupKeyToVerify({
  data_dir: dataDir,
  backup_key_file: path,
}: BackupKeySettings): Promise<BackupKey | null> {
  const secret = (await readNamedKey('backup_key_file', path)) ?? keyFound(keyIn(dataDir));
  return secret && backupKeyOf(secret);
}

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
  if (mac.key !== key?.id) return 'foreign';
  if (timingSafeEqual(Buffer.from(mac.hmac_sha256), Buffer.from(key.macOf(files)))) return 'own';
  throw new BackupError(`${path} was changed after it was created: its MAC does not match. Use another backup.`);
}
