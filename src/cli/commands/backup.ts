import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#src/base/clock.ts';
import { visibleInTerminal, visibleJson } from '#src/base/foreign-text.ts';
import { createLogger } from '#src/base/logger.ts';
import type { BackupAbout } from '#src/store/backup/backup-format.ts';
import { openLocalLog } from '#src/store/local-log.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';

/** How the list of backups is written. */
const BACKUP_FORMATS = ['text', 'json'] as const;

/** `lurecheck backup` */
export const backupCommand: Command<'backup'> = {
  name: 'backup',
  operands: 'create FILE | verify FILE | restore FILE | list [DIR]',
  summary: 'keeps all that a data directory holds in one file, beside a running service, and brings it back',
  options: {
    'other-machine': {
      type: 'boolean',
      description: 'Restore what another machine has saved, whose place this one takes.',
    },
    format: { type: 'string', words: BACKUP_FORMATS, description: 'How to write the list. Default: text.' },
  },
  examples: [
    {
      line: 'lurecheck backup create /media/stick/monday.backup --data-dir /var/lib/lurecheck',
      purpose: 'Both logs, keys, brands and models, as they are now; the file is as secret as they are.',
    },
    { line: 'lurecheck backup verify monday.backup', purpose: 'Is it whole, and as it was?' },
    {
      line: 'lurecheck backup restore monday.backup --data-dir /var/lib/lurecheck-new',
      purpose: 'Bring it back, into a folder that is empty.',
    },
    { line: 'lurecheck backup list /media/stick', purpose: 'Which backups there are, from when.' },
  ],
  named({ positionals: [action, path] }) {
    if (action === 'create') return { writes: [path], isNew: true };
    return action === 'restore' ? { reads: [path] } : null;
  },
  async run(invocation, io) {
    const [action, path, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`backup ${action} takes one name, and "${extra}" is another`);
    if (action === 'list') return await list(path ?? '.', invocation, io);
    if (action !== 'create' && action !== 'verify' && action !== 'restore') {
      const what = action === undefined ? '' : `, not "${action}"`;
      throw new UsageError(`backup takes create, verify, restore or list${what}`);
    }
    if (path === undefined) throw new UsageError(`backup ${action} takes the name of a file`);
    if (action !== 'create' && !existsSync(invocation.place(path))) throw new UsageError(`there is no file ${path}`);
    const about = await ACTIONS[action](
      invocation.place(path),
      invocation.config.data_dir,
      io,
      invocation.flag('other-machine'),
    );
    await io.stdout.write(`${DONE[action]} ${path}: ${describe(about)}\n`);
    return 0;
  },
};

const DONE = { create: 'made', verify: 'whole:', restore: 'restored from' } as const;

/** What each does needs a package for archives, which is loaded for nobody else. */
const ACTIONS = {
  async create(path: string, dataDir: string, { beforeEnd, stderr }: Io): Promise<BackupAbout> {
    const { createBackup } = await import('#src/store/backup/create-backup.ts');
    const { removeLeftWork } = await import('#src/store/backup/work-folder.ts');
    const logger = createLogger('error', () => {});
    await using log = await openLocalLog({ dataDir, access: 'read', clock: systemClock, logger });
    const made = await createBackup(path, { dataDir, log, nowMs: systemClock.now(), beforeEnd });
    for (const left of removeLeftWork(path)) {
      await stderr.write(`lurecheck: removed ${visibleInTerminal(left)}, which a backup that was killed had left\n`);
    }
    return made;
  },
  async verify(path: string): Promise<BackupAbout> {
    const { readBackup } = await import('#src/store/backup/read-backup.ts');
    return (await readBackup(path)).about;
  },
  async restore(path: string, dataDir: string, { beforeEnd }: Io, mayBeOfAnother: boolean): Promise<BackupAbout> {
    const { restoreBackup } = await import('#src/store/backup/restore-backup.ts');
    return (await restoreBackup(path, dataDir, { beforeEnd, mayBeOfAnother })).about;
  },
};

function describe({ made_at: madeAt, version, machine, checks }: BackupAbout): string {
  const counts = `${checks.public} public and ${checks.private} private checks`;
  return visibleInTerminal(
    `${counts}, made on ${madeAt} by ${version}${machine === undefined ? '' : ` on ${machine}`}`,
  );
}

async function list(folder: string, invocation: Pick<Invocation, 'text'>, io: Io): Promise<ExitCode> {
  const format = choice(invocation, 'format', BACKUP_FORMATS) ?? 'text';
  const found = await backupsIn(folder);
  const asText = () => found.map(({ file, about }) => `${visibleInTerminal(file)}\t${describe(about)}\n`).join('');
  await io.stdout.write(
    format === 'json'
      ? `${visibleJson(
          JSON.stringify(
            found.map(({ file, about }) => ({ file, ...about })),
            null,
            2,
          ),
        )}\n`
      : asText() || 'there are no backups\n',
  );
  return 0;
}

/** What in a folder says that it is a backup, the newest first; what else lies there is passed over. */
async function backupsIn(folder: string): Promise<{ readonly file: string; readonly about: BackupAbout }[]> {
  if (!existsSync(folder)) throw new UsageError(`there is no folder ${folder}`);
  const { readBackupAbout } = await import('#src/store/backup/read-backup.ts');
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ name }) => {
      const about = await readBackupAbout(join(folder, name)).catch(() => null);
      return about === null ? [] : { file: name, about };
    }),
  );
  return found.flat().toSorted((a, b) => b.about.made_at.localeCompare(a.about.made_at));
}
