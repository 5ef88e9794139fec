import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import { plainLine } from '#src/core/base/text/untrusted-text.ts';
import { QUARANTINES, type Quarantine } from './guard.ts';
import { listsFolder } from './list-state.ts';

/** An entry in the file of a version. Times are seconds since the Unix epoch. */
export interface VersionRow {
  /** In the format of `writeStoredEntry`. */
  readonly entry: string;
  /** Its line in what was imported, counted from 1. */
  readonly line: number;
  readonly addedAt: number;
  /** Null if it does not expire. */
  readonly expiresAt: number | null;
  /** Reason why the entry is not applied; null if it is. */
  readonly quarantine: Quarantine | null;
  readonly isException: boolean;
  readonly source: string | null;
  readonly comment: string | null;
}

/**
 * The first line of a version's file; what follows is a line for each entry, with a tab between what is known of it.
 */
const VERSION_HEADER = 'lurecheck list 1\n';

/** Value in the quarantine column that marks an exception. */
export const EXCEPTION_MARK = 'exception';

/** Maximum length of a stored untrusted text of an entry, in characters. */
const MAX_TEXT = 200;

/** An entry as a line of the file. */
function writeRow(row: VersionRow): string {
  const mark = row.isException ? EXCEPTION_MARK : (row.quarantine ?? '');
  const texts = [row.source, row.comment].map((text) => oneLine(text ?? ''));
  return `${[row.entry, row.line, row.addedAt, row.expiresAt ?? '', mark, ...texts].join('\t')}\n`;
}

/** The entry of a line. */
function readRow(line: string): VersionRow {
  const [entry = '', number, addedAt, expiresAt, mark, source, comment] = line.split('\t');
  return {
    entry,
    line: Number(number),
    addedAt: Number(addedAt),
    expiresAt: expiresAt ? Number(expiresAt) : null,
    quarantine: QUARANTINES.find((one) => one === mark) ?? null,
    isException: mark === EXCEPTION_MARK,
    source: source || null,
    comment: comment || null,
  };
}

/** Without what would end its line or its column. */
function oneLine(text: string): string {
  return plainLine(text).slice(0, MAX_TEXT).toWellFormed();
}

/** A version of a list that is being written. Disposing of it before `commit` deletes it. */
export interface VersionDraft extends Disposable {
  add(row: VersionRow): void;
  /** Gives the file its name, by which what it holds is known again. Nothing can be added from then on. */
  commit(): WrittenVersion;
}

/** A version of a list on the disk. */
export interface WrittenVersion {
  /** Its file's name, in the folder of the lists. */
  readonly file: string;
  readonly sha256: string;
}

/** Rows are written this many bytes at a time. */
const BATCH_BYTES = 1024 * 1024;

/** Begins a version of a list. */
export function draftVersion(dataDir: string, name: string): VersionDraft {
  const folder = listsFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Backups omit files that begin with a dot, and the next change of the lists removes them.
  const draft = join(folder, `.${randomUUID()}.new`);
  const file = openSync(draft, 'wx', 0o600);
  const hasher = new Bun.CryptoHasher('sha256');
  let waiting = VERSION_HEADER;
  let isOpen = true;

  function flush(): void {
    const bytes = Buffer.from(waiting);
    hasher.update(bytes);
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    waiting = '';
  }

  return {
    add(row) {
      waiting += writeRow(row);
      if (waiting.length >= BATCH_BYTES) flush();
    },
    commit() {
      flush();
      fsyncSync(file);
      closeSync(file);
      isOpen = false;
      const sha256 = hasher.digest('hex');
      const fileName = `${name}-${sha256.slice(0, 16)}.list`;
      renameSync(draft, join(folder, fileName));
      return { file: fileName, sha256 };
    },
    [Symbol.dispose]() {
      if (!isOpen) return;
      closeSync(file);
      rmSync(draft, { force: true });
    },
  };
}

/** No row is as long. */
const MAX_ROW_BYTES = 64 * 1024;

/** The rows of a version, some at a time. Throws an OperationError where its file is not there. */
export function readVersion(dataDir: string, file: string): AsyncGenerator<readonly VersionRow[]> {
  return rowsIn(versionBytes(dataDir, file));
}

/** The rows in the bytes of a version, some at a time: whole pieces are decoded, which is twice as fast as line by line. */
export async function* rowsIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly VersionRow[]> {
  const decoder = new TextDecoder();
  let isHeader = true;
  let rest = '';
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    // Of a damaged file without line feeds no more is held.
    if (rest.length > MAX_ROW_BYTES) rest = '';
    if (lines.length === 0) continue;
    yield lines.slice(isHeader ? 1 : 0).map(readRow);
    isHeader = false;
  }
  if (rest !== '' && !isHeader) yield [readRow(rest)];
}

/** So much of a file is in memory at a time, in bytes. */
const PIECE_BYTES = 256 * 1024;

/**
 * Reads the bytes of a version's file in pieces, which reuse one buffer. Throws OperationError if the file does not
 * exist.
 */
export async function* versionBytes(dataDir: string, file: string): AsyncGenerator<Uint8Array> {
  const path = join(listsFolder(dataDir), file);
  const handle = await open(path).catch((cause) => {
    throw new OperationError('file_damaged', [`the list in ${path} ${readErrorText(cause)}`], { cause });
  });
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES, null);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
