import type { KeptList } from '#src/network/lists/stored/stored-list.ts';
import type { LocalLists, NamedList } from '#src/network/lists/local-lists.ts';
import type { Target } from '#src/core/url/target.ts';
import type { KeptHit, ListHit, ListHits } from './list-hits.ts';
import type { Observation } from './probe.ts';

/** Looks a target up in the lists of this box as they hold at a moment, which asks nobody and takes no time. */
export function observeLists(lists: LocalLists, target: Target, nowMs: number): Observation<ListHits> {
  const { block, allow, kept } = lists;
  if (block.length + allow.length + kept.length === 0) return { state: 'skipped', reason: 'disabled' };
  const hits = kept.flatMap((list) => hitsIn(list, target, nowMs));
  const value = {
    blocked: findIn(block, target),
    allowed: findIn(allow, target),
    ...(hits.length > 0 && { kept: hits }),
  };
  return { state: 'observed', value, elapsedMs: 0 };
}

function hitsIn({ version: { name, action, weight }, find }: KeptList, target: Target, nowMs: number): KeptHit[] {
  const match = find(target, nowMs);
  if (match === null) return [];
  const { entry, line, addedAtMs, narrowness } = match;
  return [{ list: name, entry, line, action, weight, addedAtMs, narrowness }];
}

function findIn(lists: readonly NamedList[], target: Target): ListHit | null {
  for (const { name, index } of lists) {
    const match = index.find(target);
    if (match) return { list: name, ...match };
  }
  return null;
}
