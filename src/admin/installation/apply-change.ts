import { chmodSync, chownSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { idsOf, rightsAt } from './file-facts.ts';
import type { Owner, SystemChange } from './system-change.ts';
import { runCommand } from './system-command.ts';

/** Does one change below a root. Throws an Error that says what could not be done. */
export async function carryOut(change: SystemChange, root: string): Promise<void> {
  switch (change.kind) {
    case 'folder':
      mkdirSync(dirname(join(root, change.path)), { recursive: true });
      if (rightsAt(root, change.path) === null) mkdirSync(join(root, change.path), { mode: change.mode });
      return give(root, change.path, change);
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

interface Rights {
  readonly mode: number;
  readonly owner: Owner;
}

/** In one step, so that nobody reads half of it; and never with others' rights for a moment. */
function replace(root: string, path: string, write: (path: string) => void, rights: Rights): void {
  const beside = `${path}.new`;
  mkdirSync(join(root, dirname(path)), { recursive: true });
  write(join(root, beside));
  give(root, beside, rights);
  renameSync(join(root, beside), join(root, path));
}

function give(root: string, path: string, { mode, owner }: Rights): void {
  const ids = idsOf(root, owner);
  if (ids === null) throw new Error(`there is no user ${owner}, although it was made`);
  chownSync(join(root, path), ids.uid, ids.gid);
  chmodSync(join(root, path), mode);
}
