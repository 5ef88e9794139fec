import { type Static, Type } from '@sinclair/typebox';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const BackupSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the file' }),
    created_at: Type.String({ format: 'date-time', description: 'When it was begun, ISO 8601 UTC' }),
    bytes: count('Size of the file'),
    complete: Type.Boolean({
      description: 'True if it goes on to its end; `lurecheck backup verify` verifies the rest',
    }),
    version: Type.String({ description: 'Version of the program that made it' }),
    checks: Type.Object(
      { public: count('Public checks'), private: count('Private checks') },
      { $id: 'BackedUpChecks', description: 'Checks in it' },
    ),
  },
  { $id: 'Backup', description: 'A backup of the data directory' },
);

export const BackupsSchema = Type.Object(
  {
    items: Type.Array(BackupSchema, { description: 'Latest first' }),
    schedule: Type.Object(
      {
        at: Type.Union([Type.String(), Type.Null()], {
          description: 'Local time of day, such as `03:00`; null for never',
        }),
        dir: Type.Union([Type.String(), Type.Null()], {
          description: 'Value of `backup_dir`; null for `backups` in the data directory',
        }),
        keep: Type.Integer({ minimum: 1, description: 'Number of scheduled backups that are stored' }),
      },
      { $id: 'BackupSchedule', description: 'Scheduled backups' },
    ),
  },
  { $id: 'Backups', description: 'The backups of this installation' },
);

/** The backups and their schedule. */
export type Backups = Static<typeof BackupsSchema>;

/** A backup. */
export type BackupRow = Backups['items'][number];
