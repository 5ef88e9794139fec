import type { Target } from '#src/core/url/target.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import type { NamedList } from '#src/network/lists/named-list.ts';
import type { StoredList } from '#src/network/lists/stored/stored-list.ts';
import type { ListHit, ListHits, StoredListHit } from './list-hits.ts';
import type { Observation } from './probe.ts';

/** Looks a target up in the lists of this node, without I/O. */
export function observeLists(lists: LocalLists, target: Target, nowMs: number): Observation<ListHits> {
  const { block, allow, stored } = lists;
  if (block.length + allow.length + stored.length === 0) return { state: 'skipped', reason: 'disabled' };
  const plain = withPlainPath(target);
  const hits = stored.flatMap((list) => {
    const exact = hitsIn(list, target, nowMs);
    return exact.length > 0 || plain === null || list.version.action === 'allow' ? exact : hitsIn(list, plain, nowMs);
  });
  const value = {
    blocked: findIn(block, target) ?? (plain && findIn(block, plain)),
    allowed: findIn(allow, target),
    ...(hits.length > 0 && { kept: hits }),
  };
  return { state: 'observed', value, elapsedMs: 0 };
}

/** Empty segments, and parameters of segments (RFC 3986 §3.3), which most servers ignore. */
const IGNORED_IN_PATH = /\/(?=\/)|;[^/]*/g;

/**
 * Returns the target with the path that most servers see: entries that block it also cover its other spellings. Null if the
 * path is plain. Entries that allow it do not: not every server ignores these parts.
 */
function withPlainPath(target: Target): Target | null {
  const path = target.path.replace(IGNORED_IN_PATH, '');
  return path === target.path ? null : { ...target, path };
}

function hitsIn(
  { version: { name, action, weight }, find }: StoredList,
  target: Target,
  nowMs: number,
): StoredListHit[] {
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
