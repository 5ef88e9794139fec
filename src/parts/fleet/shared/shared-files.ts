import { closeSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { StoreError } from '#src/checks/store/store-error.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { pgSharedFiles } from '#src/parts/postgres/schema/tables.ts';
import type { ContentSeal, NamedFile } from '#src/parts/postgres/shared-documents.ts';

/** Bytes per part before compression, so that no statement takes long. */
const PART_BYTES = 1024 * 1024;

/** The largest file that nodes share, in bytes: a list of five million entries takes a fifth of it. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** Measures and hashes a file; null if there is none. Throws OperationError for one that is too large. */
export function describeFile(dataDir: string, path: string): NamedFile | null {
  const size = sizeOf(dataDir, path);
  if (size === null) return null;
  if (size > MAX_FILE_BYTES)
    throw new OperationError('file_damaged', [`${path} is larger than ${MAX_FILE_BYTES} bytes: not shared`]);
  const hasher = new Bun.CryptoHasher('sha256');
  let bytes = 0;
  for (const part of partsOf(join(dataDir, path))) {
    hasher.update(part);
    bytes += part.length;
  }
  return { path, sha256: hasher.digest('hex'), bytes };
}

/** The size of a file in bytes; null if there is none. */
export function sizeOf(dataDir: string, path: string): number | null {
  return statSync(join(dataDir, path), { throwIfNoEntry: false })?.size ?? null;
}

/** Uploads the parts that the database lacks, and touches the others, see `forget_shared_files`. */
export async function uploadFiles(
  db: BunSQLDatabase,
  seal: ContentSeal,
  dataDir: string,
  files: readonly NamedFile[],
): Promise<void> {
  for (const { path, sha256, bytes } of files) {
    const id = seal.printOf(sha256);
    const isOurs = eq(pgSharedFiles.id, id);
    const touched = await db.update(pgSharedFiles).set({ touchedAt: sql`now()` }).where(isOurs).returning({
      part: pgSharedFiles.part,
    });
    if (touched.length >= partCount(bytes)) continue;
    const known = new Set(touched.map(({ part }) => part));
    let part = 0;
    for (const piece of partsOf(join(dataDir, path))) {
      const row = { id, part, content: known.has(part) ? null : seal.seal(piece, id, part) };
      if (row.content !== null) {
        await db
          .insert(pgSharedFiles)
          .values({ ...row, content: row.content })
          .onConflictDoNothing();
      }
      part++;
    }
  }
}

/** Downloads files into the data directory, each atomically. Throws StoreError if one is damaged. */
export async function downloadFiles(
  db: BunSQLDatabase,
  seal: ContentSeal,
  dataDir: string,
  files: readonly NamedFile[],
): Promise<void> {
  for (const file of files) {
    const found = sizeOf(dataDir, file.path) === file.bytes ? describeFile(dataDir, file.path) : null;
    if (found?.sha256 !== file.sha256) await download(db, seal, dataDir, file);
  }
}

async function download(
  db: BunSQLDatabase,
  seal: ContentSeal,
  dataDir: string,
  { path, sha256, bytes }: NamedFile,
): Promise<void> {
  const id = seal.printOf(sha256);
  const target = join(dataDir, path);
  const draft = join(dirname(target), `.${crypto.randomUUID()}.new`);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const hasher = new Bun.CryptoHasher('sha256');
  const file = openSync(draft, 'wx', 0o600);
  let size = 0;
  try {
    for (let part = 0; part < partCount(bytes); part++) {
      const isPart = and(eq(pgSharedFiles.id, id), eq(pgSharedFiles.part, part));
      const [row] = await db.select({ content: pgSharedFiles.content }).from(pgSharedFiles).where(isPart);
      if (!row) throw new StoreError('wrong_database', `A part of ${path} is missing in the database.`);
      const piece = seal.open(row.content, id, part);
      hasher.update(piece);
      for (let written = 0; written < piece.length; ) written += writeSync(file, piece, written);
      size += piece.length;
    }
    fsyncSync(file);
    if (size !== bytes || hasher.digest('hex') !== sha256)
      throw new StoreError('wrong_database', `${path} is damaged in the database.`);
    renameSync(draft, target);
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}

/** An empty file has one part, so that the database knows it. */
function partCount(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / PART_BYTES));
}

function* partsOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (let isFirst = true; ; isFirst = false) {
      const part = Buffer.alloc(PART_BYTES);
      let length = 0;
      for (let read = -1; read !== 0 && length < PART_BYTES; length += read)
        read = readSync(file, part, length, PART_BYTES - length, null);
      if (length > 0 || isFirst) yield part.subarray(0, length);
      if (length < PART_BYTES) return;
    }
  } finally {
    closeSync(file);
  }
}
