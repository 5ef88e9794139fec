import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { StoredVersion } from './list-state.ts';
import { rowsIn, versionBytes } from './version-file.ts';
import type { VersionRow } from './version-row.ts';

/**
 * Reads the bytes of a version, in pieces that all lie in the same place.
 *
 * @throws OperationError if its file is missing, and at the end if it is not what was stored
 */
export async function* verifiedBytes(
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
