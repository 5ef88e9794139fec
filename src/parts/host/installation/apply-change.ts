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
import { idsOf, permissionsAt } from './file-facts.ts';
import { KEY_RIGHTS, type Owner, type SystemChange } from './system-change.ts';
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
