import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { auditFileIn, readAuditIn } from '#src/admin/audit/audit-log.ts';
import { asStoreError, systemProblem } from '#src/checks/store/file/fault.ts';
import { diskRoom, networkFileSystem } from '#src/checks/store/file/file-system.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import { better, broken, type Examination, type Finding, well } from './finding.ts';

/** A commit waits for the disk once; beyond this, each check is seen to wait. */
const SLOW_DISK_MS = 50;
const DISK_TRIES = 9;

/** Files that only the owner may read. */
const SECRET_FILES = [
  'private.sqlite',
  'feedback.sqlite',
  'senders.sqlite',
  'pictures-private.sqlite',
  'client.key',
  'backup.key',
  'keys.json',
];

/** The folder, who may read what lies in it, the disk below it and how fast that is, and the logs. */
export const examineData: Examination = async ({ data_dir: dataDir, disk_floor_percent: floor }) => {
  if (!existsSync(dataDir))
    return [well('data_directory', `${dataDir} does not exist yet; the first start creates it.`)];
  const directory = directoryOf(dataDir);
  if (directory.state === 'fault') return [directory];
  return [
    directory,
    ...permissionsIn(dataDir),
    roomOn(dataDir, floor),
    speedOf(dataDir),
    ...(await logsIn(dataDir)),
    auditIn(dataDir),
  ];
};

function directoryOf(dataDir: string): Finding {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return broken(
      'data_directory',
      `${dataDir} is not writable by this user.`,
      'Change its owner to the user of the service with chown.',
    );
  }
  const network = networkFileSystem(dataDir);
  if (network === null) return well('data_directory', `${dataDir} is on a local disk.`);
  return broken(
    'data_directory',
    `${dataDir} is on ${network}, whose file locks are unreliable.`,
    'Move it to a local disk.',
  );
}

function permissionsIn(dataDir: string): Finding[] {
  const open = ['.', ...SECRET_FILES].filter((name) => {
    const found = statSync(join(dataDir, name), { throwIfNoEntry: false });
    return found !== undefined && (found.mode & 0o077) !== 0;
  });
  if (open.length === 0) return [well('permissions', 'Only this user can read the stored data.')];
  const named = open.map((name) => join(dataDir, name)).join(', ');
  return [better('permissions', `Other users have access to ${named}.`, 'Revoke it with chmod go= and the names.')];
}

function roomOn(dataDir: string, floor: number): Finding {
  const { lacks, text } = diskRoom(dataDir, floor);
  if (lacks === null) return well('disk', text);
  if (lacks === 'inodes') {
    return broken('disk', text, 'Delete small files, or use a file system with more inodes: files cannot be created.');
  }
  return broken(
    'disk',
    text,
    'Free disk space, or lower retention_bytes: the oldest checks are deleted to log new ones, and if that is not enough, checks are refused with 503.',
  );
}

function speedOf(dataDir: string): Finding {
  const path = join(dataDir, `.doctor-${process.pid}`);
  let file: number | null = null;
  try {
    file = openSync(path, 'wx', 0o600);
    const fd = file;
    const times = Array.from({ length: DISK_TRIES }, () => {
      const began = systemClock.monotonicMs();
      writeSync(fd, new Uint8Array(4096), 0, 4096, 0);
      fsyncSync(fd);
      return systemClock.monotonicMs() - began;
    });
    const median = times.toSorted((a, b) => a - b)[Math.floor(DISK_TRIES / 2)] ?? 0;
    const said = `The disk commits a page in ${median.toFixed(1)} ms.`;
    return median <= SLOW_DISK_MS
      ? well('disk_speed', said)
      : better('disk_speed', said, 'Each check waits at least this long: use a faster or less busy disk.');
  } catch (error) {
    const problem = systemProblem(error);
    if (problem === null) throw error;
    return broken('disk_speed', `Nothing can be written to ${dataDir}: ${problem.matter}.`, problem.remedy);
  } finally {
    if (file !== null) closeSync(file);
    rmSync(path, { force: true });
  }
}

async function logsIn(dataDir: string): Promise<Finding[]> {
  if (!existsSync(join(dataDir, 'public.sqlite'))) return [well('logs', 'No logs exist yet.')];
  try {
    const logger = createLogger('error', () => {});
    await using log = await openLocalLog({ dataDir, access: 'read', clock: systemClock, logger });
    const damaged: Finding[] = [];
    for (const visibility of VISIBILITIES) {
      const problem = await log.examine(visibility);
      if (problem !== null) damaged.push(damageOf(join(dataDir, `${visibility}.sqlite`), problem));
    }
    if (damaged.length > 0) return damaged;
    const notices = log.notices();
    if (notices.length === 0)
      return [well('logs', 'This version supports the format of both logs, and they are intact.')];
    return notices.map((notice) => better('logs', notice, 'Remove the notice after you have handled it.'));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [broken('logs', error.message, 'See what to do: lurecheck help monitoring.')];
  }
}

function damageOf(path: string, problem: string): Finding {
  return broken(
    'logs',
    `${path} is damaged: ${problem.split('\n').at(-1)}.`,
    'lurecheck serve sets it aside within seconds, or at its next start, and copies its readable checks into a new file. Examine the disk.',
  );
}

/** The whole audit log, and whether this user can append to it. */
function auditIn(dataDir: string): Finding {
  const path = auditFileIn(dataDir);
  try {
    const { lines, problem } = readAuditIn(dataDir, () => {});
    if (problem !== null) return broken('audit_log', `The audit log ${path} ${problem}.`, NEW_AUDIT_LOG);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    return well('audit_log', `The audit log has ${counted(lines, 'line')} and is intact.`);
  } catch (error) {
    const fault = asStoreError(path, error);
    const text = fault instanceof Error ? fault.message : String(fault);
    return broken('audit_log', text, 'Until then, changes and signing in to the console are refused.');
  }
}

const NEW_AUDIT_LOG = 'Keep it as evidence: move audit.log and audit.head away, and the next change begins another.';
