import { type Static, Type } from '@sinclair/typebox';
import type { BunFile } from 'bun';
import type { Actor } from '#src/core/base/actor.ts';
import { answer } from '../http/answer.ts';
import { noBody } from '../http/json-body.ts';
import { type Problem, ProblemError, refuse } from '../http/problem.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { viewRoute } from './act-route.ts';
import { CONSOLE_REFUSALS } from './admin-refusals.ts';
import { BackupSchema, BackupsSchema } from './answers/backup-answer.ts';
import { type ChangeParts, refusing, waitLong } from './change-parts.ts';
import { actorOf, admitScopes } from './requester.ts';

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

/** Operations on backups. */
export interface BackupOperations {
  list(): Promise<Static<typeof BackupSchema>[]>;
  schedule(): Promise<{
    readonly at: { readonly hour: number; readonly minute: number } | null;
    readonly dir: string | null;
    readonly keep: number;
  }>;
  /** Returns the name of the new backup. Throws Error with what the command said. */
  create(by: Actor): Promise<string>;
  /** Opens a backup; null if there is none of this name in the folder. */
  open(by: Actor, name: string): Promise<BunFile | null>;
}

export interface BackupRouteParts extends ChangeParts {
  readonly backups: BackupOperations;
}

const NO_FOLDER: Problem = {
  code: 'conflict',
  detail: 'Set backup_dir to the folder for backups, best on another disk, and restart the service.',
};

const admitAdmin = admitScopes('admin');

const pad = (part: number) => String(part).padStart(2, '0');

/** `/api/admin/backups`: list, create, download. */
export const backupRoutes = routesWith<BackupRouteParts>()
  .get(
    '/api/admin/backups',
    async ({ service: { backups } }) => {
      const { at, dir, keep } = await backups.schedule();
      const schedule = { at: at && `${pad(at.hour)}:${pad(at.minute)}`, dir, keep };
      return { items: await backups.list(), schedule };
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
    ({ request, set, service: { backups } }) =>
      refusing(async () => {
        refuse((await backups.schedule()).dir === null ? NO_FOLDER : null);
        const name = await backups.create(actorOf(request));
        const made = (await backups.list()).find((one) => one.name === name);
        if (made === undefined) throw new ProblemError({ code: 'conflict', detail: `${name} is not there any more.` });
        set.status = 201;
        return made;
      }),
    {
      parse: [admitAdmin, noBody],
      beforeHandle: waitLong,
      response: {
        201: answer(BackupSchema, { description: 'The backup.', example: BACKUP }),
        ...refusals(...CONSOLE_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'createBackup',
        tags: ['Console'],
        summary: 'Create a backup',
        description:
          'Writes a backup to `backup_dir` in a process of its own, and answers when it is complete. 409 without ' +
          '`backup_dir`, or if it cannot be written. Scope: `admin`.',
      },
    },
  )
  .get(
    '/api/admin/backups/:name',
    async ({ params: { name }, request, service: { backups } }) => {
      const file = await refusing(() => backups.open(actorOf(request), name));
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
