import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readIfExists, replaceFile } from '#src/core/base/files/locked-file.ts';
import { type Guard, isText, mapWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

/** Validators of a version of a list; the `etag` of a file is its stamp. */
export interface Validators {
  readonly etag: string | null;
  readonly last_modified: string | null;
}

/** Stored state of a source. */
export interface SourceState extends Validators {
  /** SHA-256 of its URL or path, hexadecimal, because the URL may contain a key. */
  readonly place: string;
  /** SHA-256 of the last import, hexadecimal; null before the first. */
  readonly sha256: string | null;
  /** Last attempt, ISO 8601 UTC. */
  readonly tried_at: string;
  /** Last success, changed or not, ISO 8601 UTC; null before the first. */
  readonly renewed_at: string | null;
  /** Why the last attempt failed, as a predicate; null if it succeeded. */
  readonly problem: string | null;
}

const orNull =
  <T>(isOne: Guard<T>): Guard<T | null> =>
  (value): value is T | null =>
    value === null || isOne(value);

const isHash = textLike(/^[0-9a-f]{64}$/);

/** The stamp of a file that does not exist is empty. */
const isStamp = textLike(/^/);

const isState = objectWith({
  sources: mapWith(
    objectWith<SourceState>({
      place: isHash,
      sha256: orNull(isHash),
      tried_at: isText,
      renewed_at: orNull(isText),
      problem: orNull(isText),
      etag: orNull(isStamp),
      last_modified: orNull(isText),
    }),
  ),
});

const sourcesFileIn = (dataDir: string): string => join(dataDir, 'list-sources.json');

/** Returns true if there is a state of sources. */
export const hasSourceStates = (dataDir: string): boolean => existsSync(sourcesFileIn(dataDir));

/** Reads the state of sources by list name. A damaged file counts as empty: all sources are fetched again. */
export function readSourceStates(dataDir: string): Map<string, SourceState> {
  const json = parseJson(readIfExists(sourcesFileIn(dataDir), 'list sources') ?? '');
  return new Map(isState(json) ? Object.entries(json.sources) : []);
}

/** Stores the state of sources for the next start. */
export async function writeSourceStates(dataDir: string, states: ReadonlyMap<string, SourceState>): Promise<void> {
  await replaceFile(sourcesFileIn(dataDir), `${JSON.stringify({ sources: Object.fromEntries(states) }, null, 2)}\n`);
}
