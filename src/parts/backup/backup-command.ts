import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { perform, withDraft } from '#src/admin/audit/act.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { systemProblem } from '#src/checks/store/file/fault.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { findInstallation, INSTALLED_DATA_DIR } from '#src/core/base/files/installation.ts';
import type { Io } from '#src/core/base/io.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Command, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { commandPlace } from '#src/interfaces/cli/command-place.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { indentedJson, REPORT_FORMAT, wantsJson } from '#src/interfaces/cli/report-format.ts';
import { createBackupAct, RESTORE_BACKUP } from '#src/parts/backup/archive/backup-acts.ts';
import type { BackupAbout } from '#src/parts/backup/archive/backup-format.ts';
import {
  type BackupKeySettings,
  type BackupOrigin,
  backupKeyPath,
  backupKeyToMake,
  backupKeyToVerify,
  backupOriginOf,
  keyCopiedAt,
  noteKeyCopy,
  WITHOUT_KEY,
} from '#src/parts/backup/archive/backup-mac.ts';
import { RECORDED_BACKUP } from '#src/parts/backup/archive/scheduled-backups.ts';
import { hasServiceUser, planBackupKey } from '#src/parts/host/installation/plan-install.ts';
import { applyChange, describeChange, isEffective } from '#src/parts/host/installation/system-change.ts';

/** `lurecheck backup` */
export const backupCommand: Command<'backup'> = {
  name: 'backup',
  operands: 'create FILE | verify FILE | restore FILE | list [DIR] | key [FILE]',
  summary: 'create, verify, list and restore backups of a data directory; copy their key',
  options: {
    foreign: {
      type: 'boolean',
      description:
        'Restore a backup of another host, or without a valid MAC, and list the keys, publishers and lists in it.',
    },
    'other-machine': { type: 'boolean', description: 'Former name of --foreign.' },
    format: REPORT_FORMAT,
  },
  examples: [
    {
      line: 'lurecheck backup create monday.backup',
      purpose: 'Back up both logs, keys, brands and models; the file is as secret as they are.',
    },
    {
      line: 'lurecheck backup key backup-key.copy',
      purpose: 'Copy the key that proves who made a backup; store it away from this host and from the backups.',
    },
    {
      line: 'lurecheck backup verify monday.backup',
      purpose: 'Verify that a backup is complete, unchanged and of this installation.',
    },
    {
      line: 'lurecheck backup restore monday.backup --data-dir /var/lib/lurecheck-new',
      purpose: 'Restore it into an empty folder.',
    },
    { line: 'lurecheck backup list .', purpose: 'List the backups of a folder.' },
  ],
  named({ positionals: [action, path] }) {
    if (action === 'key') return isKeyInstalled() ? null : { writes: [path], isNew: true };
    if (action === 'create') return { writes: [path], isNew: true };
    return action === 'restore' || action === 'verify' ? { reads: [path], isReadWhole: true } : null;
  },
  async asRoot({ config }) {
    if (config.data_dir === INSTALLED_DATA_DIR) await placeKey(config);
  },
  async run(invocation, io) {
    const [action, path, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`backup ${action} takes one name: unexpected "${extra}"`);
    if (action === 'key') return await copyKey(path, invocation, io);
    if (action === 'list') return await list(path ?? '.', invocation, io);
    if (action !== 'create' && action !== 'verify' && action !== 'restore') {
      const what = action === undefined ? '' : `, not "${action}"`;
      throw new UsageError(`backup takes create, verify, restore or list${what}`);
    }
    if (path === undefined) throw new UsageError(`backup ${action} takes the name of a file`);
    if (action !== 'create' && !existsSync(invocation.resolvePath(path)))
      throw new UsageError(`file not found: ${path}`);
    const { about, note } = await ACTIONS[action](invocation.resolvePath(path), invocation, io);
    await io.stdout.write(`${DONE[action]} ${path}: ${describe(about)}${note}\n`);
    return 0;
  },
};

const DONE = { create: 'created', verify: 'verified', restore: 'restored' } as const;

/** A backup, and the rest of the line that is printed after its description. */
interface Done {
  readonly about: BackupAbout;
  readonly note: string;
}

type BackupInvocation = Pick<Invocation<ConfigFor<'backup'>>, 'config' | 'flag' | 'actor'>;

/** Each action loads the archive package on demand. */
const ACTIONS = {
  async create(path: string, invocation: BackupInvocation, io: Io): Promise<Done> {
    const { config, actor } = invocation;
    const { beforeExit, stderr, isQuiet = false } = io;
    const { createBackup } = await import('#src/parts/backup/archive/create-backup.ts');
    const { removeAbandonedWork } = await import('#src/parts/backup/archive/work-folder.ts');
    const logger = createLogger('error', () => {});
    await using log = await openLocalLog({ dataDir: config.data_dir, access: 'read', clock: systemClock, logger });
    const key = await backupKeyToMake(config);
    if (key === null) await stderr.write(`lurecheck: ${WITHOUT_KEY}\n`);
    const write = (file: string) =>
      createBackup(file, { dataDir: config.data_dir, log, key, nowMs: systemClock.now(), beforeExit });
    const place = { ...commandPlace(invocation), write };
    // The service that starts this process has recorded who asked for it.
    const isRecorded = io.environment[RECORDED_BACKUP] !== undefined;
    const made = await (isRecorded ? write(path) : perform(createBackupAct<BackupAbout>(), place, actor, path));
    for (const left of removeAbandonedWork(path)) {
      if (!isQuiet)
        await stderr.write(`lurecheck: removed ${visibleInTerminal(left)}, left by an interrupted backup\n`);
    }
    return { about: made, note: '' };
  },
  async verify(path: string, { config }: BackupInvocation): Promise<Done> {
    const { readBackup } = await import('#src/parts/backup/archive/read-backup.ts');
    const [read, key] = [await readBackup(path), await backupKeyToVerify(config)];
    return { about: read.about, note: `; ${OF[backupOriginOf(path, read, key)]}` };
  },
  async restore(path: string, invocation: BackupInvocation, { beforeExit, stderr }: Io): Promise<Done> {
    const { config, flag, actor } = invocation;
    const { trustedContentIn } = await import('#src/parts/backup/archive/restore-backup.ts');
    const options = {
      key: await backupKeyToVerify(config),
      mayBeForeign: flag('foreign') || flag('other-machine'),
      ...{ describe: trustedContentIn, beforeExit },
    };
    return await withDraft(RESTORE_BACKUP, commandPlace(invocation), { path, options }, async (draft, commit) => {
      const recorded = await commit(actor).catch((error: unknown) => error);
      if (draft.restored === null) throw recorded;
      if (recorded instanceof OperationError) await stderr.write(`lurecheck: ${visibleInTerminal(recorded.message)}\n`);
      else if (recorded instanceof Error) throw recorded;
      const { about, origin, trustedContent } = draft.restored;
      return { about, note: [`; ${OF[origin]}`, ...trustedContent.map(visibleInTerminal)].join('\n  ') };
    });
  },
};

const OF: Readonly<Record<BackupOrigin, string>> = {
  own: 'its MAC is valid: this installation created it',
  foreign: 'its MAC was made with a key of another installation: its creator is unknown',
  unsigned: 'it has no MAC: its creator is unknown',
};

function describe({ made_at: madeAt, version, machine, checks }: BackupAbout): string {
  const counts = `${checks.public} public and ${checks.private} private checks`;
  return visibleInTerminal(
    `${counts}, created on ${madeAt} by ${version}${machine === undefined ? '' : ` on ${machine}`}`,
  );
}

async function list(folder: string, invocation: Pick<Invocation, 'text'>, io: Io): Promise<ExitCode> {
  const isJson = wantsJson(invocation);
  if (!existsSync(folder)) throw new UsageError(`folder not found: ${folder}`);
  const { backupsIn } = await import('#src/parts/backup/archive/list-backups.ts');
  const found = await backupsIn(folder);
  const asText = () =>
    found
      .map(({ file, about, complete }) => {
        const mark = complete ? '' : 'INCOMPLETE, truncated: ';
        return `${visibleInTerminal(file)}\t${mark}${describe(about)}\n`;
      })
      .join('');
  await io.stdout.write(
    isJson
      ? indentedJson(found.map(({ file, about, complete }) => ({ file, complete, ...about })))
      : asText() || 'no backups found\n',
  );
  return 0;
}

/** Returns true if root runs the command on a host with the service, whose key lies outside of its data. */
function isKeyInstalled(): boolean {
  return process.geteuid?.() === 0 && findInstallation() !== null && hasServiceUser('/');
}

/**
 * Moves the installed service's key of backups out of its data directory; returns a description, or null if nothing was
 * moved.
 */
async function placeKey({ backup_key_file: named }: BackupKeySettings): Promise<string | null> {
  const change = named === null && isKeyInstalled() ? planBackupKey('/') : null;
  if (change === null || !isEffective(change)) return null;
  await applyChange(change, '/');
  return describeChange(change);
}

/** Moves the key of backups to its place, copies it to a new file if one is named, and prints its path. */
async function copyKey(
  to: string | undefined,
  { config, resolvePath }: Pick<Invocation<ConfigFor<'backup'>>, 'config' | 'resolvePath'>,
  { stdout, stderr }: Io,
): Promise<ExitCode> {
  await stdout.write((await placeKey(config)) ?? '');
  const key = await backupKeyToMake(config);
  if (key === null) throw new OperationError('file_unwritable', ['backup.key cannot be written in the data directory']);
  const from = backupKeyPath(config);
  if (to !== undefined) {
    try {
      writeFileSync(resolvePath(to), readFileSync(from), { flag: 'wx', mode: 0o600, flush: true });
    } catch (cause) {
      if (systemProblem(cause) !== null) throw cause;
      const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      throw new UsageError(`${to} ${isThere ? 'already exists' : 'cannot be written'}`, { cause });
    }
    try {
      noteKeyCopy(from, key.id, systemClock.now());
    } catch (error) {
      // The folder of a key that the operator named may be root's.
      await stderr.write(`lurecheck: the copy cannot be noted beside ${visibleInTerminal(from)}: ${String(error)}\n`);
    }
  }
  const copiedAt = keyCopiedAt(from, key.id);
  await stdout.write(`${from}: key ${key.id}, ${copiedAt === null ? 'no copy is noted' : `copied on ${copiedAt}`}\n`);
  return 0;
}
