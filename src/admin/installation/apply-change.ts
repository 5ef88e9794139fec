import { chmodSync, chownSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { idsOf, permissionsAt } from './file-facts.ts';
import type { Owner, SystemChange } from './system-change.ts';
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
    case 'remove':
      return rmSync(join(root, change.path), { recursive: true, force: true });
    case 'run':
      return await runCommand(change.command);
    case 'same':
    case 'kept':
      return;
  }
}

interface Permissions {
  readonly mode: number;
  readonly owner: Owner;
}

/** In one step, so that nobody reads half of it; and never with others' rights for a moment. */
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
