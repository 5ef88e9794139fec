import { join } from 'node:path';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { type Guard, isText, listWith, mapWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import type { NamedFile } from '#src/parts/postgres/shared-documents.ts';

/** Content of a data directory at its last synchronization. */
export interface LastSync {
  readonly version: number;
  /** SHA-256 of the text, in hexadecimal; empty for none. */
  readonly print: string;
  readonly files: readonly NamedFile[];
}

const isCount: Guard<number> = (value): value is number => Number.isSafeInteger(value);
const isPrint = textLike(/^[\da-f]*$/);
const isRecord = mapWith(
  objectWith<LastSync>({
    version: isCount,
    print: isPrint,
    files: listWith(objectWith<NamedFile>({ path: isText, sha256: isPrint, bytes: isCount })),
  }),
);

const recordFile = (dataDir: string) => join(dataDir, 'shared.json');

/** Reads the last synchronization of each name; empty if the record is missing or damaged. */
export function readLastSync(dataDir: string): Readonly<Record<string, LastSync>> {
  const json = parseJson(readIfExists(recordFile(dataDir), 'record of shared files') ?? '');
  return isRecord(json) ? json : {};
}

/** Records a synchronization. Throws OperationError if another process is about to. */
export function writeLastSync(dataDir: string, name: string, applied: LastSync): void {
  const changed = () => `${JSON.stringify({ ...readLastSync(dataDir), [name]: applied })}\n`;
  replaceLocked(recordFile(dataDir), 'record of shared files', changed);
}

/** Returns the SHA-256 of a text, in hexadecimal; empty for none. */
export function printOf(text: string | null): string {
  return text === null ? '' : new Bun.CryptoHasher('sha256').update(text).digest('hex');
}
