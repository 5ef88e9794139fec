import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { type BackupPlace, createBackupAct, DOWNLOAD_BACKUP } from '#src/parts/backup/archive/backup-acts.ts';
import { type BackupSettings, backupFolderOf, backupName } from '#src/parts/backup/archive/scheduled-backups.ts';
import { type ActParts, actRoute, performed, viewRoute } from '#src/service/server/admin/act-route.ts';
import { refusing, waitLong } from '#src/service/server/admin/change-parts.ts';
import { actorOf } from '#src/service/server/admin/requester.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { type Problem, ProblemError, refuse } from '#src/service/server/http/problem.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import { BackupSchema, BackupsSchema } from './backup-answer.ts';

const BACKUP: Static<typeof BackupSchema> = {
  name: 'lurecheck-20260131T030000Z.backup',
  created_at: '2026-01-31T03:00:00.000Z',
  bytes: 1_234_567,
  complete: true,
  version: '1.0.0',
  checks: { public: 12_000, private: 340 },
};

/** The bytes of a file, which JSON Schema describes by their media type alone. */
const BackupFileSchema = Type.String({
  contentMediaType: 'application/x-tar',
  description: 'The file of the backup',
});

/** The place of the acts on backups, with the settings of their schedule. */
type BackupsPlace = BackupPlace<void> & { readonly settings: () => BackupSettings };

export interface BackupRouteParts extends ActParts<BackupsPlace> {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const folderOf = ({ acts }: BackupRouteParts) => backupFolderOf(acts.place.settings());

/** Returns the backups in the folder of scheduled backups, latest first. The archive package is loaded on demand. */
async function listed(service: BackupRouteParts): Promise<Static<typeof BackupSchema>[]> {
  const { backupsIn } = await import('#src/parts/backup/archive/list-backups.ts');
  return (await backupsIn(folderOf(service))).map(({ file, bytes, about, complete }) => ({
    ...{ name: file, created_at: about.made_at, bytes, complete, version: about.version, checks: about.checks },
  }));
}

const NO_FOLDER: Problem = {
  code: 'conflict',
  detail: 'Set backup_dir to the folder for backups, best on another disk, and restart the service.',
};

const CREATE_BACKUP = createBackupAct<void>();

const pad = (part: number) => String(part).padStart(2, '0');

/** `/api/admin/backups`: list, create, download. */
export const backupRoutes = routesWith<BackupRouteParts>()
  .get(
    '/api/admin/backups',
    async ({ service }) => {
      const { backup_at: at, backup_dir: dir, backup_keep: keep } = service.acts.place.settings();
      const schedule = { at: at && `${pad(at.hour)}:${pad(at.minute)}`, dir, keep };
      return { items: await listed(service), schedule };
    },
    viewRoute(['admin'], {
      id: 'listBackups',
      summary: 'List the backups',
      description: 'Backups in the folder of scheduled backups, and their schedule. Scope: `admin`.',
      answers: {
        200: answer(BackupsSchema, {
          description: 'The backups.',
          example: { items: [BACKUP], schedule: { at: '03:00', dir: '/var/backups/lurecheck', keep: 7 } },
        }),
      },
      refuses: [],
    }),
  )
  .post(
    '/api/admin/backups',
    ({ request, set, service }) => {
      const name = backupName(service.now());
      return performed({ request, service }, CREATE_BACKUP, {
        input: join(folderOf(service), name),
        async current() {
          refuse(service.acts.place.settings().backup_dir === null ? NO_FOLDER : null);
          return null;
        },
        async answer() {
          const made = (await listed(service)).find((one) => one.name === name);
          if (made === undefined)
            throw new ProblemError({ code: 'conflict', detail: `${name} is not there any more.` });
          set.status = 201;
          return made;
        },
      });
    },
    actRoute(CREATE_BACKUP, {
      id: 'createBackup',
      summary: 'Create a backup',
      description:
        'Writes a backup to `backup_dir` in a process of its own, and answers when it is complete. 409 without ' +
        '`backup_dir`, or if it cannot be written. Scope: `admin`.',
      answers: { 201: answer(BackupSchema, { description: 'The backup.', example: BACKUP }) },
      refuses: ['conflict'],
    }),
  )
  .get(
    '/api/admin/backups/:name',
    async ({ params: { name }, request, service }) => {
      const file = await refusing(async () => {
        const { findBackup } = await import('#src/parts/backup/archive/list-backups.ts');
        const found = await findBackup(folderOf(service), name);
        if (found === null) return null;
        return await service.acts.withDraft(DOWNLOAD_BACKUP, found.path, (_, commit) => commit(actorOf(request)));
      });
      if (file === null) throw new ProblemError({ code: 'not_found', detail: 'There is no backup of this name.' });
      return new Response(file, {
        headers: {
          'content-type': 'application/x-tar',
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'no-store',
        },
      });
    },
    {
      ...viewRoute(['admin'], {
        id: 'downloadBackup',
        summary: 'Download a backup',
        description: 'The file is as secret as the data directory: it contains both logs and all keys. Scope: `admin`.',
        params: Type.Object({
          name: Type.String({ description: 'Name of the backup, as listed', examples: [BACKUP.name] }),
        }),
        answers: {
          200: answer(BackupFileSchema, { description: 'The backup.' }),
        },
        refuses: ['not_found', 'conflict'],
      }),
      beforeHandle: waitLong,
    },
  );
