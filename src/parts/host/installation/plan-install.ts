import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  INSTALLED_BACKUP_KEY,
  INSTALLED_CONFIG,
  INSTALLED_DATA_DIR,
  INSTALLED_ENVIRONMENT,
  INSTALLED_SETTINGS,
} from '#src/core/base/files/installation.ts';
import { idOf, idsOf, permissionsAt, textAt } from './file-facts.ts';
import type { ManagedFile, Manager } from './manager.ts';
import type { Owner, SystemChange } from './system-change.ts';

/** Comparison of an existing file with the text to write. */
type FileStatus =
  | 'missing'
  | 'same'
  /** Written by an earlier version, and not modified since. */
  | 'older'
  /** Created or modified by somebody else. */
  | 'changed';

/** Beginning of the last line of a written file, followed by a hash. */
const STAMP = '# lurecheck service install wrote the above; what you change stays as it is. sha256: ';

const stampOf = (text: string) => `${STAMP}${sha256Of(text)}\n`;

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

/** Appends a last line that lets later versions detect modifications. */
export const stamped = (text: string): string => `${text}${stampOf(text)}`;

/**
 * Compares an existing file with a text; null means that it does not exist. Without a stamp, a file that was put there
 * by hand is compared by its content.
 */
export function compareWritten(found: string | null, wanted: string): FileStatus {
  if (found === null) return 'missing';
  if (found === wanted || found === stamped(wanted)) return 'same';
  return isUnmodified(found) ? 'older' : 'changed';
}

/** Returns true if a text is unmodified since any version wrote it. */
export function isUnmodified(found: string): boolean {
  const text = found.slice(0, Math.max(0, found.lastIndexOf(STAMP)));
  return found === stamped(text);
}

/** Address of the browser that is installed beside the service. */
export const BROWSER_ADDRESS = 'ws://127.0.0.1:9222';

/** The files in which the operator decides about the service, as they are when nothing has been decided. */
export function settingsFiles(
  { name, environment }: Manager,
  hasBrowser = false,
): readonly { readonly path: string; readonly text: string }[] {
  const path = INSTALLED_CONFIG;
  const [reload, restart] =
    name === 'systemd'
      ? ['systemctl reload lurecheck', 'systemctl restart lurecheck']
      : ['rc-service lurecheck reload', 'rc-service lurecheck restart'];
  return [
    {
      path: INSTALLED_ENVIRONMENT,
      text: `# Settings file of the service. Each setting is also a variable, one per line, which overrides the file.
LURECHECK_CONFIG=${path}
${environment.map((line) => `${line}\n`).join('')}`,
    },
    {
      path,
      text: `# Settings of the service; \`lurecheck help serve\` lists them all. After a change: ${reload}
# reports those that need ${restart}.

# Folder of the data: by this line, commands find it without --data-dir.
data_dir = "${INSTALLED_DATA_DIR}"
# listen = ["127.0.0.1:8080"]
# admin_listen = "127.0.0.1:9180"
# network = "full"
# rate_limit = 20
${hasBrowser ? `browser = "${BROWSER_ADDRESS}"\n` : ''}`,
    },
  ];
}

/** Destination of a program that cannot stay in its folder. */
export const DEFAULT_PROGRAM_PATH = '/usr/local/bin/lurecheck';

/** Folders that the unit hides from the service, or that are gone one day. */
const TEMPORARY = /^\/(home|root|tmp|var\/tmp|run|media|mnt|dev|proc)\//;

/**
 * Returns true if a service can be started from this path permanently: only root can replace the file, and the hardened
 * unit can access it.
 */
function isPermanent(program: string): boolean {
  if (TEMPORARY.test(program)) return false;
  for (let path = program; ; path = dirname(path)) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid !== 0 || (found.mode & 0o022) !== 0) return false;
    if (path === dirname(path)) return true;
  }
}

/** Former place of the key of backups. */
const FORMER = `${INSTALLED_DATA_DIR}/backup.key`;

/** Plans the key of backups in the folder of settings, which outlives the data: a new one, or the former one, moved. */
export function planBackupKey(root: string): SystemChange {
  const path = INSTALLED_BACKUP_KEY;
  if (permissionsAt(root, path) !== null) return { kind: 'same', path };
  return { kind: 'key', path, from: permissionsAt(root, FORMER) === null ? null : FORMER };
}

/** Returns true if the user exists who has to read the key. */
export const hasServiceUser = (root: string): boolean => idsOf(root, 'root:lurecheck') !== null;

/** Options of the plan. */
export interface InstallRequest {
  /** The root of the tree in which it is to be; `/` for this machine. */
  readonly root: string;
  readonly manager: Manager;
  /** The executable that is to be started. */
  readonly program: string;
  /** True if files that were modified are replaced. */
  readonly isReplacing: boolean;
  readonly isStarted: boolean;
  /** True to install a browser as a unit of its own, too. */
  readonly hasBrowser: boolean;
}

/** Plans an installation, in order; if the service is installed already, the plan contains only unchanged steps. */
export function planInstall(request: InstallRequest): SystemChange[] {
  const { root, manager, program, isReplacing, isStarted, hasBrowser } = request;
  const packaged = manager.packagedFile(root);
  const placed = packaged === null ? planProgram(root, program, isReplacing) : { path: null, change: [] };
  const files: SystemChange[] =
    packaged === null
      ? manager.files(placed.path ?? program).map((file) => planFile(root, file, isReplacing))
      : [
          {
            kind: 'kept',
            path: packaged,
            why: 'it belongs to a package, which also installs the program and its user',
          },
        ];
  if (hasBrowser && manager.browserFile) files.push(planFile(root, manager.browserFile, isReplacing));
  const isRenewed = [...placed.change, ...files].some(({ kind }) => kind === 'file' || kind === 'program');
  const hasUser = idOf(root, 'passwd', 'lurecheck') !== null;
  return [
    ...placed.change,
    ...files,
    ...(hasUser ? [] : manager.makeUser(root)).map(toRun),
    planFolder(root, INSTALLED_DATA_DIR, 0o700, 'lurecheck:lurecheck'),
    // Readable for the service; the settings may contain secrets.
    planFolder(root, INSTALLED_SETTINGS, 0o750, 'root:lurecheck'),
    ...planSettings(root, manager, hasBrowser),
    ...manager.enable(root, { isRenewed, isStarted, hasBrowser }).map(toRun),
  ];
}

const toRun = (command: readonly string[]): SystemChange => ({ kind: 'run', command });

/** Plans the copy of the program, and returns its path. */
function planProgram(root: string, program: string, isReplacing: boolean): { path: string; change: SystemChange[] } {
  if (root === '/' && isPermanent(program)) return { path: program, change: [] };
  const there =
    permissionsAt(root, DEFAULT_PROGRAM_PATH) === null ? null : readFileSync(join(root, DEFAULT_PROGRAM_PATH));
  const path = DEFAULT_PROGRAM_PATH;
  if (there?.equals(readFileSync(program))) return { path, change: [{ kind: 'same', path }] };
  if (there === null || isReplacing) return { path, change: [{ kind: 'program', path, from: program }] };
  return {
    path,
    change: [
      {
        kind: 'kept',
        path,
        why: 'it is another version; lurecheck upgrade replaces it by a release, --replace by this file',
      },
    ],
  };
}

function planFile(root: string, { path, text, mode }: ManagedFile, isReplacing: boolean): SystemChange {
  const status = compareWritten(textAt(root, path), text);
  if (status === 'same') return { kind: 'same', path };
  if (status === 'changed' && !isReplacing) {
    return {
      kind: 'kept',
      path,
      why: 'it was edited; --replace overwrites it and keeps a copy beside it',
    };
  }
  const asideTo = status === 'changed' ? `${path}.kept` : null;
  return { kind: 'file', path, text: stamped(text), mode, owner: 'root:root', asideTo };
}

function planFolder(root: string, path: string, mode: number, owner: Owner): SystemChange {
  const [found, ids] = [permissionsAt(root, path), idsOf(root, owner)];
  const isRight =
    found !== null && ids !== null && found.uid === ids.uid && found.gid === ids.gid && found.mode === mode;
  return isRight ? { kind: 'same', path } : { kind: 'folder', path, mode, owner };
}

/** Settings are the operator's: they are written once, and never again. */
function planSettings(root: string, manager: Manager, hasBrowser: boolean): SystemChange[] {
  const files = settingsFiles(manager, hasBrowser);
  const found = files.filter(({ path }) => permissionsAt(root, path) !== null);
  if (found.length > 0) {
    const isUnset = hasBrowser && !found.some(({ path }) => textAt(root, path)?.includes(BROWSER_ADDRESS));
    const why = `it is yours: to use the browser, add browser = "${BROWSER_ADDRESS}" and restart the service`;
    return [
      ...found.map(({ path }): SystemChange => ({ kind: 'same', path })),
      ...(isUnset ? [{ kind: 'kept', path: INSTALLED_CONFIG, why } as const] : []),
    ];
  }
  return files.map(({ path, text }) => ({
    kind: 'file',
    path,
    text,
    mode: 0o640,
    owner: 'root:lurecheck',
    asideTo: null,
  }));
}
