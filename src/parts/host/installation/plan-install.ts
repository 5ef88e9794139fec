import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLED_CONFIG, INSTALLED_DATA_DIR, INSTALLED_SETTINGS } from '#src/core/base/files/installation.ts';
import { idOf, idsOf, permissionsAt, textAt } from './file-facts.ts';
import type { ManagedFile, Manager } from './manager.ts';
import { DEFAULT_PROGRAM_PATH, isPermanent } from './program-path.ts';
import { BROWSER_ADDRESS, settingsFiles } from './settings-files.ts';
import type { Owner, SystemChange } from './system-change.ts';
import { compareWritten, stamped } from './written-file.ts';

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
