import type { LocalLists, NamedList } from '#src/lists/local-lists.ts';
import type { Target } from '#src/url/target.ts';
import type { Probe } from './probe.ts';

/** An entry of one of the operator's lists that covers the target. */
export interface ListHit {
  /** The list's file name, without folders. */
  readonly list: string;
  readonly entry: string;
  /** Counted from 1. */
  readonly line: number;
}

/** On which of the operator's lists a target is. */
export interface ListHits {
  readonly blocked: ListHit | null;
  readonly allowed: ListHit | null;
}

/** Looks a target up in the operator's own lists, which asks nobody. */
export function createListsProbe(lists: LocalLists): Probe<ListHits, unknown> {
  return {
    applies: () => lists.block.length + lists.allow.length > 0,
    observe: (target) =>
      Promise.resolve({ blocked: findIn(lists.block, target), allowed: findIn(lists.allow, target) }),
  };
}

function findIn(lists: readonly NamedList[], target: Target): ListHit | null {
  for (const { name, index } of lists) {
    const match = index.find(target);
    if (match) return { list: name, ...match };
  }
  return null;
}
