import type { ListFileItem } from '#src/network/lists/formats/list-format.ts';
import type { BadLine } from '#src/network/lists/parse.ts';
import type { Quarantine } from '#src/network/lists/stored/guard.ts';
import type { ListAction, ListChangeNote } from '#src/network/lists/stored/list-state.ts';

/** What becomes of the lists. */
export type ListChange =
  | {
      /** `import`: the list is what is read, and nothing else; `add`: also that. */
      readonly what: 'import' | 'add';
      readonly list: string;
      /** Null: as it was; a new list blocks. */
      readonly action: ListAction | null;
      /** In log-odds (nats), for a list that does not decide by itself; null for one that does; undefined: as it was. */
      readonly weight?: number | null;
      readonly items: AsyncIterable<readonly ListFileItem[]>;
      /** What was read is called so in messages and in what is remembered; null for what was typed. */
      readonly source: string | null;
      /** Whether lines that are no entry are left out and reported, instead of refusing the file. */
      readonly skipsInvalid?: boolean;
      /** Whether it may hold nothing, or nothing that has not expired; a file that somebody names by hand is then another one. */
      readonly mayBeEmpty?: boolean;
      /** When entries cease to hold that say nothing of it, in milliseconds since the Unix epoch; null: never. */
      readonly expiresAtMs: number | null;
    }
  | {
      readonly what: 'remove';
      readonly list: string /** Null for the list as a whole. */;
      readonly entry: string | null;
    }
  | { readonly what: 'rollback' /** Null for all of them at once. */; readonly list: string | null };

/** What a change does to one list. */
export interface ListChanged {
  readonly list: string;
  readonly what: ListChangeNote['what'];
  /** How many entries it had and has that are applied. */
  readonly entriesBefore: number;
  readonly entries: number;
  /** How many of them were not there. */
  readonly added: number;
  /** How many were read that had expired by then, and are not kept. */
  readonly expired: number;
  /** How many stood there twice. */
  readonly repeated: number;
  readonly quarantined: number;
  /** Some of those, with why: the first. */
  readonly heldBack: readonly HeldBack[];
  /** Lines that say what no list can hold, such as a rule about a part of a page. */
  readonly leftOut: BadLines;
}

/** An entry that is kept without being applied. */
export interface HeldBack {
  readonly entry: string;
  readonly line: number;
  readonly why: Quarantine;
}

/** How many wrong lines, or entries held back, are told one by one. */
export const MAX_TOLD = 10;

/** Lines that are no entry: the first of them, and how many. */
export interface BadLines {
  readonly first: readonly BadLine[];
  readonly count: number;
}

/** Where every line was an entry. */
export const NO_LINES: BadLines = { first: [], count: 0 };
