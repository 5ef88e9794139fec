import type { BlockFormat } from '#src/parts/feeds/blocked/block-format.ts';
import type { Omission } from '#src/parts/feeds/blocked/block-list.ts';

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
