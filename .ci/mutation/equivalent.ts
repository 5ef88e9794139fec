import recorded from './equivalent.json' with { type: 'json' };
import type { Mutant } from './mutants.ts';

/** A mutant that somebody looked at and that changes nothing which anybody could see. */
export interface EquivalentMutant {
  readonly path: string;
  /** The changed lines as they stand in the source, so that the entry is void once somebody touches them. */
  readonly before: string;
  readonly after: string;
  /** Why nothing changes. */
  readonly reason: string;
}

/** The reviewed list. */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = recorded;

/** Whether a mutant is in the list, wherever in its file those lines stand. */
export function isEquivalent({ path, before, after }: Mutant): boolean {
  return EQUIVALENT_MUTANTS.some(
    (entry) => entry.path === path && entry.before === unindented(before) && entry.after === unindented(after),
  );
}

/** Lines without what all of them are indented by. */
export function unindented(lines: string): string {
  const depth = Math.min(...lines.split('\n').map((line) => (line.trim() === '' ? Infinity : line.search(/\S/))));
  return lines.replaceAll(new RegExp(`^ {${Number.isFinite(depth) ? depth : 0}}`, 'gm'), '');
}
