import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DirectoryOwner } from './named-files.ts';

/** A file of root's that is about to be written by the owner of the data directory. */
export interface OwnerDraft {
  /** Path that the command writes to. */
  readonly staged: string;
  /** Gives the file what was staged, if anything was, and its name. Throws an Error if that is not possible. */
  publish(staged: string): Promise<void>;
}

const COPY_BYTES = 1024 * 1024;

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
export function draftForOwner(path: string, owner: DirectoryOwner, isNew: boolean): Pick<OwnerDraft, 'publish'> | null {
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
        copyInto(file, staged);
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

function copyInto(file: number, staged: string): void {
  const from = openSync(staged, 'r');
  const buffer = new Uint8Array(COPY_BYTES);
  for (let read = readSync(from, buffer); read > 0; read = readSync(from, buffer)) {
    for (let written = 0; written < read; ) written += writeSync(file, buffer, written, read - written);
  }
  fsyncSync(file);
  closeSync(from);
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
