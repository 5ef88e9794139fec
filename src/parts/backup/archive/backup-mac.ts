import { createHmac, timingSafeEqual } from 'node:crypto';
import { accessSync, constants, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import { readNamedKey, readOrMakeSecretKey, readSecretKey } from '#src/checks/store/file/secret-key.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { INSTALLED_BACKUP_KEY } from '#src/core/base/files/installation.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { type BackedUpFile, BackupError, type BackupMac } from './backup-format.ts';

/** The note beside a key: which key was copied, and when. */
const NoteSchema = Type.Object({ key: Type.String(), copied_at: Type.String() });

const noteOf = (keyPath: string) => `${keyPath}.copied`;

/** Notes beside the key that the operator has a copy of it. */
export function noteKeyCopy(keyPath: string, key: string, nowMs: number): void {
  const [path, draft] = [noteOf(keyPath), `${noteOf(keyPath)}.new`];
  writeFileSync(draft, `${JSON.stringify({ key, copied_at: new Date(nowMs).toISOString() })}\n`, { mode: 0o644 });
  renameSync(draft, path);
}

/** Returns when a key was copied last; null if no copy of it is noted. */
export function keyCopiedAt(keyPath: string, key: string): string | null {
  try {
    const shaped = readShape(NoteSchema, parseJson(readFileSync(noteOf(keyPath), 'utf8')));
    return 'value' in shaped && shaped.value.key === key ? shaped.value.copied_at : null;
  } catch {
    return null;
  }
}

/** File of the key of the MACs of backups, which none of them may hold. */
export const BACKUP_KEY = 'backup.key';

/** The key of an installation. No backup contains it, so access to backup files is not enough to create a MAC. */
export interface BackupKey {
  /** Names the key without telling it: 16 hexadecimal digits. */
  readonly id: string;
  /** Returns the MAC of the files of a backup, in hexadecimal. */
  macOf(files: readonly BackedUpFile[]): string;
  /** The previous key of this installation; null if there is none. */
  readonly former?: BackupKey | null;
}

/**
 * Origin of a backup: `own`, since its MAC is valid; `foreign`, by another installation or a lost key; `unsigned`,
 * without a MAC: created by an old version, or stripped of it.
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

/** Settings that determine the location of the key. */
export type BackupKeySettings = Pick<StoreSettings, 'data_dir' | 'backup_key_file'>;

/**
 * Returns the key for new backups: from the configured file, or else from the installed service, or else from the data
 * directory, where the first backup creates it. Null if that fails, as on a full disk: the backup is created without a
 * MAC then.
 *
 * @throws OperationError if the configured file has no key; StoreError if another file is not a key
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

/** Warning about a backup without a MAC. */
export const WITHOUT_KEY =
  'this backup has no MAC, so its origin cannot be verified later: backup.key cannot be written in the data directory';

/**
 * Returns the key that verifies backups, with the data directory's key as the former one if both exist; null if there
 * is none. Throws as {@link backupKeyToMake}.
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

/** Returns the key of the installed service; null if there is none or this user cannot read it. */
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
 * Returns the origin of a backup whose files match its manifest.
 *
 * @throws BackupError if the MAC names this key but is invalid: the backup was modified
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
