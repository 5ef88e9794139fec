import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { type DirectoryOwner, type FileOperands, type OperatorFiles, ORIGINAL_PATHS } from './named-files.ts';
import { openForOwner } from './open-for-owner.ts';
import { draftForOwner, type OwnerDraft } from './owner-draft.ts';

/** Returns the owner whose rights root should take on for a data directory; null if this process keeps its own. */
export function ownerToBecome(dataDir: string): DirectoryOwner | null {
  if (process.geteuid?.() !== 0) return null;
  const found = statSync(dataDir, { throwIfNoEntry: false });
  return found?.isDirectory() && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null;
}

/**
 * Opens the files that the operator named with the rights of root, then gives these up for good: from here on the process is
 * the owner of the data directory, so that it can leave no file there that the service cannot read.
 *
 * @throws OperationError if a file cannot be written, or the system does not let root become another user
 */
export async function becomeOwner(owner: DirectoryOwner, dataDir: string, named: FileOperands): Promise<OperatorFiles> {
  const reads = (named.reads ?? []).filter((path) => path !== undefined && path !== '-');
  const places = new Map<string, string>();
  for (const path of reads) if (path !== undefined) places.set(path, openForOwner(path, owner, dataDir));
  const drafts: OwnerDraft[] = [];
  let stage: string | null = null;
  for (const path of named.writes ?? []) {
    const draft = path === undefined ? null : draftForOwner(path, owner, named.isNew === true);
    if (draft === null || path === undefined) continue;
    stage ??= stageFor(owner, dataDir);
    const staged = join(stage, String(drafts.length));
    places.set(path, staged);
    drafts.push({ ...draft, staged });
  }
  drop(owner, dataDir);
  if (places.size === 0) return ORIGINAL_PATHS;
  return {
    resolvePath: (path) => places.get(path) ?? path,
    async finish() {
      for (const draft of drafts) await draft.publish(draft.staged);
    },
    discard() {
      if (stage !== null) rmSync(stage, { recursive: true, force: true });
    },
  };
}

/** Creates a folder of the owner for files until they are moved to their destination. Backups leave it out. */
function stageFor({ uid, gid }: DirectoryOwner, dataDir: string): string {
  const stage = mkdtempSync(join(dataDir, '.out-'));
  chownSync(stage, uid, gid);
  return stage;
}

function drop({ uid, gid }: DirectoryOwner, dataDir: string): void {
  try {
    process.setgroups?.([]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (cause) {
    throw new OperationError(
      'file_unwritable',
      [`cannot switch to user ${uid}, the owner of ${dataDir}: the system refuses it; run the command as that user`],
      { cause },
    );
  }
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid || process.getegid?.() !== gid)
    throw new Error(`this process is still user ${process.geteuid?.()}, and not ${uid}`);
}
