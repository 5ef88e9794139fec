import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import type { HopListHits } from './list-hits.ts';
import { isListHit, observeLists } from './lists.ts';
import type { Observations } from './observations.ts';
import type { PageVisit } from './page-visit.ts';

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
