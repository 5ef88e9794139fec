import type { Turns } from '#src/core/base/turns.ts';

/** Resolves a host for a connection to one of its ports; empty if it has no address. */
export type ResolveHost = (host: string, port: number) => Promise<readonly string[]>;

/** Options of a process's connections to the databases. */
export interface DatabaseAccess {
  readonly resolve?: ResolveHost | undefined;
  /** Lets the work on primaries use one connection at a time; each uses its own by default. */
  readonly turns?: Turns | undefined;
}

/** Version of a document. */
export interface DocumentVersion {
  readonly version: number;
  /** Keyed hash of the text, see {@link ContentSeal.printOf}. */
  readonly print: string | null;
}

/** Configuration by which a node classifies. */
export interface NodeConfiguration {
  readonly modelVersion: string;
  /** Version of the operator's lists; empty if there are none. */
  readonly listsVersion: string;
  /** Absent for a command. */
  readonly prints?: Readonly<Record<string, string>>;
}
