import { definePart } from '#src/parts/define-part.ts';

/** Backups of a data directory, and their key. */
export const backupPart = definePart({
  name: 'backup',
  commands: { backup: async () => (await import('./backup-command.ts')).backupCommand },
  examine: { backup_key: async () => (await import('./examine-backup-key.ts')).examineBackupKey },
});
