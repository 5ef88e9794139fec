import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists, replaceFile } from '#src/core/base/files/locked-file.ts';
import { unusableFile } from '#src/core/base/files/named-file.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import type { BlockFormat } from '#src/parts/export/blocked/block-format.ts';
import type { Omission } from '#src/parts/export/blocked/block-list.ts';

const FeedStateSchema = Type.Object(
  {
    version: Type.Literal(1),
    /** Revision of the stored lists from which the feeds were made last. */
    revision: Type.Integer({ minimum: 0 }),
    /** By name of the feed. */
    feeds: Type.Record(
      Type.String(),
      Type.Object(
        {
          sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
          /** Seconds since the Unix epoch; also the serial of a zone. */
          changed_at: Type.Integer({ minimum: 0 }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** The latest version of each feed, stored so that serials never fall and versions stay the same over restarts. */
export type FeedState = Static<typeof FeedStateSchema>;

/** The state before any feed was made. */
export const NO_FEEDS: FeedState = { version: 1, revision: 0, feeds: {} };

function stateFileIn(dataDir: string): string {
  return join(dataDir, 'feeds.json');
}

/** Reads the state; {@link NO_FEEDS} without a file. Throws OperationError if it cannot be read or is invalid. */
export function readFeedState(dataDir: string): FeedState {
  const path = stateFileIn(dataDir);
  const text = readIfExists(path, 'feeds');
  if (text === null) return NO_FEEDS;
  const shaped = readShape(FeedStateSchema, parseJson(text));
  if ('value' in shaped) return shaped.value;
  throw new OperationError('file_damaged', [unusableFile(path, 'feeds', `is damaged: ${shaped.problem}`)]);
}

/** Replaces the state atomically. */
export async function writeFeedState(dataDir: string, state: FeedState): Promise<void> {
  await replaceFile(stateFileIn(dataDir), `${JSON.stringify(state)}\n`);
}

/** Name of a feed: the format in which it lists what is blocked. */
export type FeedName = BlockFormat;

/** A version of a feed. */
export interface Feed {
  /** SHA-256 of the text without its serial, lower-case hexadecimal. */
  readonly sha256: string;
  /** Last change of the text, in whole seconds as milliseconds since the Unix epoch. */
  readonly changedMs: number;
  readonly text: Uint8Array<ArrayBuffer>;
  /** The text, compressed by gzip. */
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly lines: number;
  /** Number of entries that the format cannot hold, by reason. */
  readonly leftOut: ReadonlyMap<Omission, number>;
}
