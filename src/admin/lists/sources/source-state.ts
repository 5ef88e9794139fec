import { join } from 'node:path';
import { type Guard, isText, mapWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { readIfThere } from '#src/core/base/files/locked-file.ts';
import { replaceFile } from '#src/core/base/files/replace-file.ts';

/** By what a version of a list is known: of a file, `etag` is its stamp. */
export interface Validators {
  readonly etag: string | null;
  readonly last_modified: string | null;
}

/** What is remembered of a source. */
export interface SourceState extends Validators {
  /** SHA-256 of the setting that named its place, hexadecimal: a key may stand in it. */
  readonly place: string;
  /** SHA-256 of what was imported last, hexadecimal; null before. */
  readonly sha256: string | null;
  /** When it was last asked for, ISO 8601 UTC. */
  readonly tried_at: string;
  /** When it was last found sound, changed or not; null before. */
  readonly renewed_at: string | null;
  /** Why it could not be imported, in a sentence without a subject; null if it was. */
  readonly problem: string | null;
}

const orNull =
  <T>(isOne: Guard<T>): Guard<T | null> =>
  (value): value is T | null =>
    value === null || isOne(value);

const isHash = textLike(/^[0-9a-f]{64}$/);

const isState = objectWith({
  sources: mapWith(
    objectWith<SourceState>({
      place: isHash,
      sha256: orNull(isHash),
      tried_at: isText,
      renewed_at: orNull(isText),
      problem: orNull(isText),
      etag: orNull(isText),
      last_modified: orNull(isText),
    }),
  ),
});

const sourcesFileIn = (dataDir: string): string => join(dataDir, 'list-sources.json');

/** Reads what is remembered of sources, by the names of their lists; nothing if the file is damaged: all are asked again. */
export function readSourceStates(dataDir: string): Map<string, SourceState> {
  const json = parseJson(readIfThere(sourcesFileIn(dataDir), 'list sources') ?? '');
  return new Map(isState(json) ? Object.entries(json.sources) : []);
}

/** Remembers it for the next start. */
export async function writeSourceStates(dataDir: string, states: ReadonlyMap<string, SourceState>): Promise<void> {
  await replaceFile(sourcesFileIn(dataDir), `${JSON.stringify({ sources: Object.fromEntries(states) }, null, 2)}\n`);
}
