import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLED_DATA_DIR } from './installation.ts';
import { idOf, idsOf, rightsAt, textAt } from './file-facts.ts';
import type { ManagedFile, Manager } from './manager.ts';
import { isLasting, USUAL_PLACE } from './program-path.ts';
import { settingsFiles } from './settings-files.ts';
import type { Owner, SystemChange } from './system-change.ts';
import { compareWritten, stamped } from './written-file.ts';

/** What is wished for. */
export interface InstallWish {
  /** The root of the tree in which it is to be; `/` for this machine. */
  readonly root: string;
  readonly manager: Manager;
  /** The executable that is to be started. */
  readonly program: string;
  /** Whether what somebody changed is written anew. */
  readonly isReplacing: boolean;
  readonly isStarted: boolean;
}

/** What it takes until the service is there, in order; on a machine where it is, nothing but what stays the same. */
export function planInstall({ root, manager, program, isReplacing, isStarted }: InstallWish): SystemChange[] {
  const packaged = manager.packagedFile(root);
  const placed = packaged === null ? placeProgram(root, program, isReplacing) : { path: null, change: [] };
  const files: SystemChange[] =
    packaged === null
      ? manager.files(placed.path ?? program).map((file) => planFile(root, file, isReplacing))
      : [{ kind: 'kept', path: packaged, why: 'it is that of a package, which brings the program and its user, too' }];
  const isRenewed = [...placed.change, ...files].some(({ kind }) => kind === 'file' || kind === 'program');
  const hasUser = idOf(root, 'passwd', 'lurecheck') !== null;
  return [
    ...placed.change,
    ...files,
    ...(hasUser ? [] : manager.makeUser(root)).map(toRun),
    planFolder(root, INSTALLED_DATA_DIR, 0o700, 'lurecheck:lurecheck'),
    // Readable for the service; what stands there may be secret.
    planFolder(root, '/etc/lurecheck', 0o750, 'root:lurecheck'),
    ...planSettings(root, manager),
    ...manager.enable(root, { isRenewed, isStarted }).map(toRun),
  ];
}

const toRun = (command: readonly string[]): SystemChange => ({ kind: 'run', command });

/** Where the program will be, and what brings it there. */
function placeProgram(root: string, program: string, isReplacing: boolean): { path: string; change: SystemChange[] } {
  if (root === '/' && isLasting(program)) return { path: program, change: [] };
  const there = rightsAt(root, USUAL_PLACE) === null ? null : readFileSync(join(root, USUAL_PLACE));
  const path = USUAL_PLACE;
  if (there?.equals(readFileSync(program))) return { path, change: [{ kind: 'same', path }] };
  if (there === null || isReplacing) return { path, change: [{ kind: 'program', path, from: program }] };
  return {
    path,
    change: [
      {
        kind: 'kept',
        path,
        why: 'it is another version; lurecheck upgrade puts a release in its place, --replace this file',
      },
    ],
  };
}

function planFile(root: string, { path, text, mode }: ManagedFile, isReplacing: boolean): SystemChange {
  const standing = compareWritten(textAt(root, path), text);
  if (standing === 'same') return { kind: 'same', path };
  if (standing === 'changed' && !isReplacing) {
    return {
      kind: 'kept',
      path,
      why: 'somebody has changed it; --replace writes it anew and keeps that one beside it',
    };
  }
  const asideTo = standing === 'changed' ? `${path}.kept` : null;
  return { kind: 'file', path, text: stamped(text), mode, owner: 'root:root', asideTo };
}

function planFolder(root: string, path: string, mode: number, owner: Owner): SystemChange {
  const [found, ids] = [rightsAt(root, path), idsOf(root, owner)];
  const isRight =
    found !== null && ids !== null && found.uid === ids.uid && found.gid === ids.gid && found.mode === mode;
  return isRight ? { kind: 'same', path } : { kind: 'folder', path, mode, owner };
}

/** Settings are the operator's: they are written once, and never again. */
function planSettings(root: string, manager: Manager): SystemChange[] {
  const files = settingsFiles(manager);
  if (files.some(({ path }) => rightsAt(root, path) !== null)) {
    return files.flatMap(({ path }) => (rightsAt(root, path) === null ? [] : [{ kind: 'same', path } as const]));
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
