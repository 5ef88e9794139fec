import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { idsOf, permissionsAt } from './file-facts.ts';
import { runCommand } from './system-command.ts';

/** Applies one change below a root. Throws an Error if it fails. */
export async function applyChange(change: SystemChange, root: string): Promise<void> {
  switch (change.kind) {
    case 'folder':
      mkdirSync(dirname(join(root, change.path)), { recursive: true });
      if (permissionsAt(root, change.path) === null) mkdirSync(join(root, change.path), { mode: change.mode });
      return setPermissions(root, change.path, change);
    case 'file':
      if (change.asideTo !== null) renameSync(join(root, change.path), join(root, change.asideTo));
      return replace(root, change.path, (path) => writeFileSync(path, change.text, { mode: 0o600 }), change);
    case 'program':
      return replace(root, change.path, (path) => copyFileSync(change.from, path), { mode: 0o755, owner: 'root:root' });
    case 'key': {
      const secret = change.from === null ? randomBytes(KEY_BYTES) : readKey(join(root, change.from));
      replace(root, change.path, (path) => writeFileSync(path, secret, { mode: 0o600, flush: true }), KEY_RIGHTS);
      return change.from === null ? undefined : rmSync(join(root, change.from));
    }
    case 'remove':
      return rmSync(join(root, change.path), { recursive: true, force: true });
    case 'run':
      return await runCommand(change.command);
    case 'same':
    case 'kept':
      return;
  }
}

const KEY_BYTES = 32;

/** Reads a key out of a folder of another user, who may have put anything there. */
function readKey(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(file);
    if (fstatSync(file).isFile() && size === KEY_BYTES) return readFileSync(file);
  } finally {
    closeSync(file);
  }
  throw new Error(`${path} must be a file of ${KEY_BYTES} random bytes: delete it, and a new one is created`);
}

interface Permissions {
  readonly mode: number;
  readonly owner: Owner;
}

/** Replaces a file atomically, with its final permissions from the start. */
function replace(root: string, path: string, write: (path: string) => void, rights: Permissions): void {
  const beside = `${path}.new`;
  mkdirSync(join(root, dirname(path)), { recursive: true });
  write(join(root, beside));
  setPermissions(root, beside, rights);
  renameSync(join(root, beside), join(root, path));
}

function setPermissions(root: string, path: string, { mode, owner }: Permissions): void {
  const ids = idsOf(root, owner);
  if (ids === null) throw new Error(`user not found although it was created: ${owner}`);
  chownSync(join(root, path), ids.uid, ids.gid);
  chmodSync(join(root, path), mode);
}

/** Whose something is: user and group. */
export type Owner = 'root:root' | 'root:lurecheck' | 'lurecheck:lurecheck';

/** A step of an installation or removal, or the reason why a file is left unchanged. Paths are relative to the root. */
export type SystemChange =
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number; readonly owner: Owner }
  | WrittenFile
  | { readonly kind: 'program'; readonly path: string; readonly from: string }
  /** A key of 32 random bytes: new if `from` is null, otherwise moved. */
  | { readonly kind: 'key'; readonly path: string; readonly from: string | null }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'run'; readonly command: readonly string[] }
  | { readonly kind: 'same'; readonly path: string }
  | { readonly kind: 'kept'; readonly path: string; readonly why: string };

/** A file with all of its text. */
export interface WrittenFile {
  readonly kind: 'file';
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  readonly owner: Owner;
  /** Path to which a modified file is moved; null if it is unmodified or does not exist. */
  readonly asideTo: string | null;
}

/** The service reads its key and cannot change it. */
const KEY_RIGHTS = { mode: 0o640, owner: 'root:lurecheck' } as const;

/** Returns true if a step changes anything. */
export const isEffective = ({ kind }: SystemChange): boolean => kind !== 'same' && kind !== 'kept';

/** A change in one line. */
export function describeChange(change: SystemChange): string {
  switch (change.kind) {
    case 'folder':
      return line('make', `${change.path} ${rights(change)}`);
    case 'file': {
      const aside = change.asideTo === null ? '' : `, and keep the edited file as ${change.asideTo}`;
      return line('write', `${change.path} ${rights(change)}${aside}`);
    }
    case 'program':
      return line('copy', `${change.from} to ${change.path}`);
    case 'key':
      return change.from === null
        ? line('write', `${change.path} ${rights(KEY_RIGHTS)}`)
        : line('move', `${change.from} to ${change.path} ${rights(KEY_RIGHTS)}`);
    case 'remove':
      return line('remove', change.path);
    case 'run':
      return line('run', change.command.join(' '));
    case 'same':
      return line('same', change.path);
    case 'kept':
      return line('keep', `${change.path}: ${change.why}`);
  }
}

const line = (verb: string, what: string) => `${verb.padEnd(7)} ${visibleInTerminal(what)}\n`;

const rights = ({ mode, owner }: { readonly mode: number; readonly owner: Owner }) =>
  `(${mode.toString(8).padStart(4, '0')} ${owner})`;
