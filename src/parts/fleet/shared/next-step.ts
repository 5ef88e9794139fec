import type { DocumentVersion } from '#src/checks/store/database-access.ts';
import type { LastSync } from './last-sync.ts';

/** Step that synchronizes a data directory and the database. */
export type NextStep =
  | { readonly what: 'nothing' }
  /** The database has what the data directory lacks. */
  | { readonly what: 'adopt' }
  /** The data directory has what the database lacks; `isOlder` if the database was restored from a backup, or is a new one. */
  | { readonly what: 'publish'; readonly over: number | null; readonly version: number; readonly isOlder: boolean };

/** Local state of a document. */
export interface LocalKnowledge {
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
