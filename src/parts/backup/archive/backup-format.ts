import { type Static, Type } from '@sinclair/typebox';
import { MIGRATIONS } from '#src/checks/store/file/migrate.ts';
import type { CodedError } from '#src/core/base/errors/operation-error.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { VERSION } from '#src/core/base/version.ts';

/** The first file of a backup says what it is, the last one what must be in it. */
export const ABOUT_FILE = 'about.json';
export const MANIFEST_FILE = 'manifest.json';

/** Identifies a backup among archives. */
const FORMAT = 'lurecheck backup';

/** Layout version of the archive; newer ones are unreadable. */
const LAYOUT = 1;

/** Largest text in a backup, in bytes: an archive with a larger one is not a backup. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

const AboutSchema = Type.Object({
  format: Type.Literal(FORMAT),
  layout: Type.Integer({ minimum: 1 }),
  made_at: Type.String(),
  /** Version of the program that created it. */
  version: Type.String(),
  /** Name of the machine on which it was made. */
  machine: Type.Optional(Type.String()),
  /** Number of migrations that its logs have. */
  schema: Type.Integer({ minimum: 0 }),
  checks: Type.Object({ public: Type.Integer({ minimum: 0 }), private: Type.Integer({ minimum: 0 }) }),
});

const ManifestSchema = Type.Object({
  files: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$' }),
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
  /** The MAC of the files by the key of an installation; backups of older versions have none. */
  mac: Type.Optional(
    Type.Object({
      key: Type.String({ pattern: '^[0-9a-f]{16}$' }),
      hmac_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
});

/** Description of a backup. */
export type BackupAbout = Static<typeof AboutSchema>;

/** List of the files of a backup. */
export type BackupManifest = Static<typeof ManifestSchema>;

/** A file of a backup, as its manifest names it. */
export type BackedUpFile = BackupManifest['files'][number];

/** Proof of a backup's origin, verifiable with the key alone. */
export type BackupMac = NonNullable<BackupManifest['mac']>;

/** A backup cannot be made, read or restored, with why in a sentence. */
export class BackupError extends Error implements CodedError {
  override readonly name = 'BackupError';
  readonly errorCode = 'backup_failed';
}

/** Returns the description of a backup that is created now. */
export function aboutNow(nowMs: number, machine: string, checks: BackupAbout['checks']): BackupAbout {
  const made_at = new Date(nowMs).toISOString();
  return { format: FORMAT, layout: LAYOUT, made_at, version: VERSION, machine, schema: MIGRATIONS.length, checks };
}

/** Reads the first file. Throws BackupError for what is no backup, or one of a newer version. */
export function readAbout(path: string, text: string): BackupAbout {
  const shaped = readShape(AboutSchema, parseJson(text));
  if ('problem' in shaped) throw notABackup(path);
  const about = shaped.value;
  if (about.layout > LAYOUT || about.schema > MIGRATIONS.length) {
    throw new BackupError(
      `${path} was created by lurecheck ${about.version}, which is newer than this version, ${VERSION}: use that version or a newer one.`,
    );
  }
  return about;
}

/** Reads the last file. Throws BackupError. */
export function readManifest(path: string, text: string): BackupManifest {
  const shaped = readShape(ManifestSchema, parseJson(text));
  if ('value' in shaped) return shaped.value;
  throw damaged(path, `its description cannot be read: ${shaped.problem}`);
}

/** The refusal of a file that is no backup. */
export function notABackup(path: string): BackupError {
  return new BackupError(`${path} is not a backup of lurecheck.`);
}

/** The refusal of a backup that is not as it was. */
export function damaged(path: string, what: string): BackupError {
  return new BackupError(`${path} is damaged: ${what}. Use another backup.`);
}
