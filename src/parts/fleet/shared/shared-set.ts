import type { PublicPrimary } from '#src/parts/postgres/session/public-primary.ts';

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
