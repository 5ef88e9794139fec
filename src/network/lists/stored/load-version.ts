import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { NEVER } from './entry-facts.ts';
import { createEntryTable, type EntryTable } from './entry-table.ts';
import type { StoredVersion } from './list-state.ts';
import { EXCEPTION_MARK, rowsIn, type VersionRow, versionBytes } from './version-file.ts';

const NOTHING = new Uint8Array();
const [TAB, NEWLINE, ZERO] = [0x09, 0x0a, 0x30];

/** The length identifies the mark: that of an exception is the only one that is applied. */
const EXCEPTION_LENGTH = EXCEPTION_MARK.length;

/**
 * Reads the applied entries of a version in chunks, so that a service answers meanwhile. The bytes are not decoded to
 * text: a million entries take a second.
 *
 * @throws OperationError for a file that is missing or was changed
 */
export async function loadVersion(dataDir: string, version: StoredVersion): Promise<EntryTable> {
  const table = createEntryTable(version.entries, version.text_bytes);
  let rest: Uint8Array = NOTHING;
  let isHeader = true;
  for await (const chunk of verifiedBytes(dataDir, version)) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      if (isHeader) isHeader = false;
      else if (rest.length === 0) addRow(table, chunk, from, version);
      else addRow(table, Buffer.concat([rest, chunk.subarray(0, end)]), 0, version);
      if (rest.length > 0) rest = NOTHING;
      from = end + 1;
    }
    // Copied, because the next piece lies in the same place.
    rest = Buffer.concat([rest, chunk.subarray(from)]);
  }
  return table;
}

function addRow(table: EntryTable, bytes: Uint8Array, from: number, { entries }: StoredVersion): void {
  const entryEnd = bytes.indexOf(TAB, from);
  const lineEnd = bytes.indexOf(TAB, entryEnd + 1);
  const addedEnd = bytes.indexOf(TAB, lineEnd + 1);
  const expiryEnd = bytes.indexOf(TAB, addedEnd + 1);
  const markEnd = bytes.indexOf(TAB, expiryEnd + 1);
  const markLength = markEnd - expiryEnd - 1;
  const isException = markLength === EXCEPTION_LENGTH && bytes[expiryEnd + 1] === EXCEPTION_MARK.charCodeAt(0);
  // Marks beyond those that were counted are in no valid file; the digest detects them.
  if ((markLength > 0 && !isException) || markEnd === -1 || table.size >= entries) return;
  table.add(bytes, from, entryEnd, {
    line: numberAt(bytes, entryEnd + 1, lineEnd),
    addedAt: numberAt(bytes, lineEnd + 1, addedEnd),
    expiresAt: expiryEnd === addedEnd + 1 ? NEVER : numberAt(bytes, addedEnd + 1, expiryEnd),
    isException,
  });
}

function numberAt(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = 10 * number + (bytes[at] ?? 0) - ZERO;
  return number;
}

/**
 * Reads the bytes of a version, in pieces that all lie in the same place.
 *
 * @throws OperationError if its file is missing, and at the end if it is not what was stored
 */
async function* verifiedBytes(
  dataDir: string,
  { name, file, sha256 }: Pick<StoredVersion, 'name' | 'file' | 'sha256'>,
): AsyncGenerator<Uint8Array> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const piece of versionBytes(dataDir, file)) {
    hasher.update(piece);
    yield piece;
  }
  if (hasher.digest('hex') === sha256) return;
  throw new OperationError('file_damaged', [
    `the list ${name} is damaged: ${file} does not match its checksum; run lurecheck lists rollback ${name}, or remove the list and import it again`,
  ]);
}

/** Reads the rows of a version, some at a time. Throws as {@link verifiedBytes}. */
export function verifiedRows(
  dataDir: string,
  version: Pick<StoredVersion, 'name' | 'file' | 'sha256'>,
): AsyncGenerator<readonly VersionRow[]> {
  return rowsIn(verifiedBytes(dataDir, version));
}
