import { join } from 'node:path';
import type { DocumentVersion } from '#src/checks/store/database-access.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { type Guard, isText, listWith, mapWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import type { PublicPrimary } from '#src/parts/postgres/session/public-primary.ts';
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

/**
 * A part of the data directory that belongs to the fleet: one replaceable file, and the immutable files that it names.
 */
export interface SharedSet {
  /** Name of the document, also in messages: `keys`. */
  readonly name: string;
  /** The path of the file in the data directory, with slashes. */
  readonly path: string;
  /** Paths of the immutable files that a text of it names. Throws OperationError for a damaged text. */
  filesIn(text: string): readonly string[];
  /** Joins the text of this node and that of the database if both were changed; without it, that of the database wins. */
  merge?(local: string, found: string): string;
}

/** Location of the fleet's shared content, and the participant. */
export interface FleetPlace extends PublicPrimary {
  /** The key in `client_key_file`. */
  readonly clientKey: Buffer;
  /** Name of the node or host, recorded with changes. */
  readonly changedBy: string;
}

/** Step that synchronizes a data directory and the database. */
type NextStep =
  | { readonly what: 'nothing' }
  /** The database has what the data directory lacks. */
  | { readonly what: 'adopt' }
  /** The data directory has what the database lacks; `isOlder` if the database was restored from a backup, or is a new one. */
  | { readonly what: 'publish'; readonly over: number | null; readonly version: number; readonly isOlder: boolean };

/** Local state of a document. */
interface LocalKnowledge {
  /** Null if this data directory was never synchronized. */
  readonly taken: Pick<LastSync, 'version' | 'print'> | null;
  /** SHA-256 of the current text; empty for none. */
  readonly print: string;
  /** True if the text in the database is not the one that was synchronized with that version. */
  readonly isOther: boolean;
}

/**
 * Decides which side is newer. A database with an older version than this node synchronized was restored: the node
 * publishes its copy under its own version, so that the latest copy of several nodes wins.
 *
 * @param found null if no node has published the document
 */
export function nextStep(
  found: Pick<DocumentVersion, 'version'> | null,
  { taken, print, isOther }: LocalKnowledge,
): NextStep {
  const isThere = print !== '';
  if (taken === null) {
    if (found) return { what: 'adopt' };
    return isThere ? { what: 'publish', over: null, version: 1, isOlder: false } : { what: 'nothing' };
  }
  const over = found?.version ?? 0;
  const version = taken.version + (print === taken.print ? 0 : 1);
  if (over < taken.version) {
    if (isThere) return { what: 'publish', over: found && over, version, isOlder: true };
    return { what: found ? 'adopt' : 'nothing' };
  }
  if (over > taken.version || isOther || (!isThere && taken.print !== '')) return { what: 'adopt' };
  return version > over && isThere ? { what: 'publish', over, version, isOlder: false } : { what: 'nothing' };
}
