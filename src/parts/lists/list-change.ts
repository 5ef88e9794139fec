import type { BadLine } from '#src/network/lists/parse.ts';
import type { Quarantine } from '#src/network/lists/stored/guard.ts';
import type { ListAction, ListChangeNote } from '#src/network/lists/stored/list-state.ts';
import type { ListInput } from './list-inputs.ts';

/** A change of the lists. */
export type ListChange =
  | {
      /** `import` replaces the entries of the list; `add` appends to them. */
      readonly what: 'import' | 'add';
      readonly list: string;
      /** Null keeps the action; a new list blocks. */
      readonly action: ListAction | null;
      /**
       * Weight in log-odds (nats) of a list without final decision; null for one with it; undefined leaves it
       * unchanged.
       */
      readonly weight?: number | null;
      readonly items: ListInput;
      /** Name of the input in messages and in the history; null for typed entries. */
      readonly source: string | null;
      /** True to skip and report invalid lines instead of refusing the file. */
      readonly skipsInvalid?: boolean;
      /** True to accept a list without an entry that is applied; otherwise that is a mistake. */
      readonly mayBeEmpty?: boolean;
      /** Expiry of entries without one, in milliseconds since the Unix epoch; null for never. */
      readonly expiresAtMs: number | null;
    }
  | {
      readonly what: 'remove';
      readonly list: string;
      /** Null for the list as a whole. */
      readonly entries: EntryChoice | null;
    }
  | { readonly what: 'rollback' /** Null for all of them at once. */; readonly list: string | null };

/** Entries of a list that are removed: some that are named, of which each must be in the list, or all that a text finds. */
export type EntryChoice = { readonly named: readonly string[] } | { readonly matching: string };

/** Effect of a change on one list. */
export interface ListChanged {
  readonly list: string;
  readonly what: ListChangeNote['what'];
  /** Number of active entries before and after. */
  readonly entriesBefore: number;
  readonly entries: number;
  /** Number of new entries. */
  readonly added: number;
  /** Number of expired entries, which are not stored. */
  readonly expired: number;
  /** Number of duplicate entries. */
  readonly repeated: number;
  /** The first of both, which the import leaves out. */
  readonly leftOut: readonly LeftOutEntry[];
  /** Number of entries that are removed one by one, applied or not, and the first of them. */
  readonly removed: number;
  readonly removedEntries: readonly string[];
  readonly quarantined: number;
  /** The first newly quarantined entries, with the reason, and the number of all of them. */
  readonly newlyQuarantined: number;
  readonly quarantinedEntries: readonly QuarantinedEntry[];
  /** Format in which the file was read; null if entries were typed. */
  readonly format: string | null;
  /** Lines that no list can represent, such as rules about parts of a page. */
  readonly skipped: BadLines;
  /** Lines that were not understood, and are left out. */
  readonly unread: BadLines;
}

/** An entry that is stored but not active. */
export interface QuarantinedEntry {
  readonly entry: string;
  readonly line: number;
  readonly why: Quarantine;
}

/** An entry that is not stored. */
export interface LeftOutEntry {
  readonly entry: string;
  readonly line: number;
  readonly why: 'expired' | 'duplicate';
}

/** Maximum number of invalid lines or entries of one kind that are listed. */
export const MAX_REPORTED = 10;

/** The first invalid lines, and their number. */
export interface BadLines {
  readonly first: readonly BadLine[];
  readonly count: number;
}

/** No invalid lines. */
export const NO_LINES: BadLines = { first: [], count: 0 };

/** Effect of a change that leaves no entry. */
export const NO_EFFECT: Omit<ListChanged, 'list' | 'what' | 'entriesBefore'> = {
  ...{ entries: 0, added: 0, expired: 0, repeated: 0, leftOut: [], removed: 0, removedEntries: [] },
  ...{ quarantined: 0, newlyQuarantined: 0, quarantinedEntries: [], format: null, skipped: NO_LINES, unread: NO_LINES },
};
