import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { type DirectoryOwner, type FileOperands, type OperatorFiles, ORIGINAL_PATHS } from './named-files.ts';

/** A file of root's that is about to be written by the owner of the data directory. */
interface OwnerDraft {
  /** Path that the command writes to. */
  readonly staged: string;
  /** Gives the file what was staged, if anything was, and its name. Throws an Error if that is not possible. */
  publish(staged: string): Promise<void>;
}

/**
 * Waits for a word and then gives a draft its name, for which it takes the rights of root. Without the word, as after a kill,
 * the draft goes. Arguments: draft, target, and `new` if the target must not exist.
 */
const PLACER = `trap '' INT TERM HUP
read -r word mode
if [ "$word" = place ] && chmod "$mode" "$1" && { [ "$3" != new ] || [ ! -e "$2" ]; } && mv -f "$1" "$2"; then exit 0; fi
rm -f "$1"
[ "$word" != place ]`;

/**
 * Opens a draft beside the file to write; null if the owner of the data directory can write there, or the command is to
 * report why it is impossible.
 */
function draftForOwner(path: string, owner: DirectoryOwner, isNew: boolean): Pick<OwnerDraft, 'publish'> | null {
  const target = existsSync(path) ? realpathSync(path) : resolve(path);
  const isReplaced = existsSync(target);
  if (isReplaced && (isNew || !statSync(target).isFile())) return null;
  if (mayWriteIn(dirname(target), owner)) return null;
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.new`);
  let file: number;
  try {
    file = openSync(draft, 'wx', 0o600);
  } catch {
    return null;
  }
  const placer = Bun.spawn(['/bin/sh', '-c', PLACER, 'sh', draft, target, isNew ? 'new' : 'replace'], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  return {
    async publish(staged) {
      const isWritten = existsSync(staged);
      if (isWritten) {
        copyStaged(staged, file);
        placer.stdin.write(`place ${(statSync(staged).mode & 0o777).toString(8)}\n`);
        rmSync(staged);
      }
      closeSync(file);
      await placer.stdin.end();
      if ((await placer.exited) !== 0)
        throw new Error(`${path} cannot be written: the name already exists, or the disk failed`);
    },
  };
}

function copyStaged(staged: string, to: number): void {
  const from = openSync(staged, 'r');
  copyBytes(from, to);
  fsyncSync(to);
  closeSync(from);
}

const COPY_BYTES = 1024 * 1024;

/** Copies what is left of an open file into another one. */
function copyBytes(from: number, to: number): void {
  const buffer = new Uint8Array(COPY_BYTES);
  for (let read = readSync(from, buffer); read > 0; read = readSync(from, buffer)) {
    for (let written = 0; written < read; ) written += writeSync(to, buffer, written, read - written);
  }
}

/** Returns true if a user may create files in a folder, by the rights of it and of all above it. */
function mayWriteIn(folder: string, owner: DirectoryOwner): boolean {
  const may = (path: string, bits: number): boolean => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || (bitsFor(found, owner) & bits) !== bits) return false;
    return dirname(path) === path || may(dirname(path), 1);
  };
  return may(folder, 3);
}

/** The bits for reading, writing and searching that count for a user. */
function bitsFor({ mode, uid, gid }: Stats, owner: DirectoryOwner): number {
  return (mode >> (uid === owner.uid ? 6 : gid === owner.gid ? 3 : 0)) & 7;
}

/**
 * Opens a file, a stream or a folder with the rights of root; returns a path by which the owner of the data directory can read
 * it. What cannot be opened stays as it was named, so that the command reports it.
 */
function openForOwner(path: string, owner: DirectoryOwner, dataDir: string): string {
  let file: number;
  try {
    // A FIFO without a writer would be waited for; the command waits for it as it always did.
    file = openSync(path, constants.O_RDONLY);
  } catch {
    return path;
  }
  const found = fstatSync(file);
  const byDescriptor = `/proc/self/fd/${file}`;
  if (found.isDirectory()) return copyFolder(path, owner);
  if (found.isFIFO() && isAnonymous(byDescriptor)) fchownSync(file, owner.uid, owner.gid);
  if (!found.isFile() || mayRead(found, owner)) return byDescriptor;
  return `/proc/self/fd/${copyFile(file, owner, dataDir)}`;
}

/** Returns true if a pipe has no name: no other process can open it, no matter who owns it. */
function isAnonymous(byDescriptor: string): boolean {
  return readlinkSync(byDescriptor).startsWith('pipe:[');
}

/**
 * Returns true if the owner may read a file: its descriptor is opened again by the rights of the file, regardless of
 * its folders.
 */
function mayRead({ mode, uid, gid }: Stats, owner: DirectoryOwner): boolean {
  if (uid === owner.uid) return (mode & 0o400) !== 0;
  return (mode & (gid === owner.gid ? 0o040 : 0o004)) !== 0;
}

/** Copies a file that only root may read to one without a name, which is gone with this process. */
function copyFile(from: number, { uid, gid }: DirectoryOwner, dataDir: string): number {
  const path = join(dataDir, `.in-${randomUUID()}`);
  const copy = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  unlinkSync(path);
  fchownSync(copy, uid, gid);
  copyBytes(from, copy);
  return copy;
}

/** Copies the files of a folder, as of a model, which are few and small. */
function copyFolder(path: string, { uid, gid }: DirectoryOwner): string {
  const folder = mkdtempSync(join(tmpdir(), 'lurecheck-'));
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const copy = join(folder, entry.name);
    copyFileSync(join(path, entry.name), copy);
    chownSync(copy, uid, gid);
    chmodSync(copy, 0o600);
  }
  chownSync(folder, uid, gid);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

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
