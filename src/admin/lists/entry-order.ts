/** Orders of entries: as in the list, by name, by the time they were added, by expiry, by hits. */
export const ENTRY_SORTS = ['line', 'entry', 'added', 'expires', 'hits'] as const;

/** One of {@link ENTRY_SORTS}. */
export type EntrySort = (typeof ENTRY_SORTS)[number];

/** Syntax of `EntryQuery.after`: a number, in other orders than the list's with the key behind it. */
export const AFTER = /^\d{1,15}(?:\..{0,9000})?$/su;
