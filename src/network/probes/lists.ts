import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import type { NamedList } from '#src/network/lists/named-list.ts';
import type { StoredList } from '#src/network/lists/stored/stored-list.ts';
import type { HopListHits, ListHit, ListHits, Observation, Observations, StoredListHit } from './observations.ts';
import type { PageVisit } from './page-visit.ts';

/** Looks a target and the URLs that it wraps up in the lists of this node, without I/O. */
export function observeLists(lists: LocalLists, target: Target, nowMs: number): Observation<ListHits> {
  const { block, allow, stored } = lists;
  if (block.length + allow.length + stored.length === 0) return { state: 'skipped', reason: 'disabled' };
  const inside = unwrap(target).flatMap((inner) => {
    const hits = hitsOf(lists, inner, nowMs);
    return isListHit(hits) ? [{ url: inner.url, hits }] : [];
  });
  const value = { ...hitsOf(lists, target, nowMs), ...(inside.length > 0 && { inside }) };
  return { state: 'observed', value, elapsedMs: 0 };
}

/** Returns true if a list covers the target, or a URL that it wraps. */
export function isListHit({ blocked, allowed, kept: stored = [], inside = [] }: ListHits): boolean {
  return blocked !== null || allowed !== null || stored.length + inside.length > 0;
}

function hitsOf({ block, allow, stored }: LocalLists, target: Target, nowMs: number): ListHits {
  const plain = withPlainPath(target);
  const hits = stored.flatMap((list) => {
    const exact = hitsIn(list, target, nowMs);
    return exact.length > 0 || plain === null || list.version.action === 'allow' ? exact : hitsIn(list, plain, nowMs);
  });
  return {
    blocked: findIn(block, target) ?? (plain && findIn(block, plain)),
    allowed: findIn(allow, target),
    ...(hits.length > 0 && { kept: hits }),
  };
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
  { version: { name, action, weight, origin: owner }, find }: StoredList,
  target: Target,
  nowMs: number,
): StoredListHit[] {
  const match = find(target, nowMs);
  if (match === null) return [];
  const { entry, line, addedAtMs, narrowness } = match;
  return [{ list: name, entry, line, action, weight, addedAtMs, owner, narrowness }];
}

function findIn(lists: readonly NamedList[], target: Target): ListHit | null {
  for (const { name, index } of lists) {
    const match = index.find(target);
    if (match) return { list: name, ...match };
  }
  return null;
}

/** Returns every URL to which a visit leads, followed or not, without duplicates. */
export function hopUrls({ redirects, passed, exits }: Pick<PageVisit, 'redirects' | 'passed' | 'exits'>): string[] {
  const all = [
    ...redirects.flatMap(({ location }) => location ?? []),
    ...passed.flatMap((page) => page.exits.map(({ url }) => url)),
    ...exits.map(({ url }) => url),
  ];
  return [...new Set(all)];
}

/** Adds the list hits of the URLs to which the target leads. */
export function withHopLists(observations: Observations, lists: LocalLists, nowMs: number): Observations {
  const { page } = observations;
  const hasLists = lists.block.length + lists.allow.length + lists.stored.length > 0;
  const urls = page.state === 'observed' && hasLists ? hopUrls(page.value) : [];
  const hopLists = urls.flatMap((url): HopListHits[] => {
    const target = parseTarget(url);
    const observed = isTargetProblem(target) ? null : observeLists(lists, target, nowMs);
    return observed?.state === 'observed' && isListHit(observed.value) ? [{ url, hits: observed.value }] : [];
  });
  return hopLists.length === 0 ? observations : { ...observations, hopLists };
}
