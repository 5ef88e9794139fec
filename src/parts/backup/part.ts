import type { PartRoutes } from '#src/app/parts/service.ts';
import { definePart } from '#src/parts/define-part.ts';

const BACKUP_ROUTES = {
  heads: ['GET /api/admin/backups', 'POST /api/admin/backups', 'GET /api/admin/backups/:name'],
  load: async () => (await import('./backup-routes.ts')).backupRoutes,
} as const satisfies PartRoutes;

/** Backups of a data directory, and their key. */
export const backupPart = definePart({
  name: 'backup',
  commands: { backup: async () => (await import('./backup-command.ts')).backupCommand },
  routes: [BACKUP_ROUTES],
  examine: { backup_key: async () => (await import('./examine-backup-key.ts')).examineBackupKey },
});
