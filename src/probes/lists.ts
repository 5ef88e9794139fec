import type { LocalLists, NamedList } from '#src/lists/local-lists.ts';
import type { Target } from '#src/url/target.ts';
import type { ListHit, ListHits } from './list-hits.ts';
import type { Observation } from './probe.ts';

/** Looks a target up in the operator's own lists, which asks nobody and takes no time. */
export function observeLists(lists: LocalLists, target: Target): Observation<ListHits> {
  if (lists.block.length + lists.allow.length === 0) return { state: 'skipped', reason: 'disabled' };
  const value = { blocked: findIn(lists.block, target), allowed: findIn(lists.allow, target) };
  return { state: 'observed', value, elapsedMs: 0 };
}

function findIn(lists: readonly NamedList[], target: Target): ListHit | null {
  for (const { name, index } of lists) {
    const match = index.find(target);
    if (match) return { list: name, ...match };
  }
  return null;
}
