import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { idOf, pathsIn, textAt } from './file-facts.ts';
import type { Manager } from './manager.ts';
import { DEFAULT_PROGRAM_PATH, isUnmodified } from './plan-install.ts';
import type { SystemChange } from './system-change.ts';

/** Options of the plan. */
interface RemovalRequest {
  readonly root: string;
  readonly manager: Manager;
  /** True to delete data, settings and user as well. */
  readonly isPurging: boolean;
}

/** File of the OpenRC script for the message of a failed start. */
const START_ERROR_LOG = '/var/log/lurecheck.err';

/** Files that an upgrade keeps beside the program, and what an interrupted one leaves. */
const LEFTOVERS = ['.new', '.previous', '.earlier', '.upgrade'];

const PURGE_HINT = '--purge removes it';

/** Plans a removal, in order, and lists what is not deleted. */
export function planRemoval({ root, manager, isPurging }: RemovalRequest): SystemChange[] {
  const isThere = (path: string) => existsSync(join(root, path));
  const removeOrKeep = (path: string): SystemChange =>
    isPurging ? { kind: 'remove', path } : { kind: 'kept', path, why: PURGE_HINT };
  const packaged = manager.packagedFile(root);
  // What makes the user goes with the user.
  const ofBrowser = manager.browserFile === null ? [] : [manager.browserFile];
  const written = [...manager.files(DEFAULT_PROGRAM_PATH), ...ofBrowser].filter(({ path }) => isThere(path));
  const files = written.map(({ path, text }): SystemChange => {
    if (path.startsWith('/etc/sysusers.d/')) return removeOrKeep(path);
    const found = textAt(root, path) ?? '';
    if (isUnmodified(found) || found === text || isPurging) return { kind: 'remove', path };
    return { kind: 'kept', path, why: `it was edited; ${PURGE_HINT}` };
  });
  const data = pathsIn(root, '/var/lib', /^lurecheck(-.+)?$/);
  const isFolder = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;
  // Who made a backup beside the data may need it for the next installation.
  const backups = data.filter((path) => !isFolder(path));
  const isUserThere = idOf(root, 'passwd', 'lurecheck') !== null;
  return [
    ...manager.disable(root).map((command): SystemChange => ({ kind: 'run', command })),
    ...files,
    ...(packaged === null
      ? []
      : [{ kind: 'kept', path: packaged, why: 'it belongs to a package, which removes it' } as const]),
    ...manager.overrides(root).map(removeOrKeep),
    ...(files.some(({ kind }) => kind === 'remove') ? manager.afterRemoval(root) : []).map(
      (command): SystemChange => ({ kind: 'run', command }),
    ),
    ...[...data.filter(isFolder), '/etc/lurecheck', START_ERROR_LOG].filter(isThere).map(removeOrKeep),
    ...backups.map((path): SystemChange => ({ kind: 'kept', path, why: 'it is beside the data, as backups are' })),
    ...LEFTOVERS.map((end) => `${DEFAULT_PROGRAM_PATH}${end}`)
      .filter(isThere)
      .map(removeOrKeep),
    ...(isUserThere && isPurging ? [{ kind: 'run', command: userRemoval(root) } as const] : []),
    ...(isThere(DEFAULT_PROGRAM_PATH)
      ? [
          {
            kind: 'kept',
            path: DEFAULT_PROGRAM_PATH,
            why: 'the program itself; remove it if nothing else needs it',
          } as const,
        ]
      : []),
  ];
}

function userRemoval(root: string): string[] {
  if (Bun.which('userdel') !== null) return ['userdel', ...(root === '/' ? [] : ['--prefix', root]), 'lurecheck'];
  return [...(root === '/' ? [] : ['chroot', root]), 'deluser', 'lurecheck'];
}
