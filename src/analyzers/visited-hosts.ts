import type { HostObservations, Observations } from '#src/probes/observations.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';
import type { Evidence, Feature } from './analyzer.ts';

/** A host that a visitor comes to: the one of the link, or the one that its redirects end on. */
export interface VisitedHost {
  readonly target: Target;
  readonly seen: HostObservations;
}

/** The host of the link, and where its redirects end on another site, that one too. */
export function visitedHosts(target: Target, observations: Observations): readonly VisitedHost[] {
  const asked = { target, seen: observations };
  const { landing, page } = observations;
  if (!landing) return [asked];
  const url = page.state === 'observed' ? page.value.finalUrl : `https://${landing.host}/`;
  const landingTarget = parseTarget(url);
  return isTargetProblem(landingTarget) ? [asked] : [asked, { target: landingTarget, seen: landing }];
}

/**
 * What the hosts of one visit say together. A sign of danger at one of them is enough. A reassurance counts only where
 * all of them give it: that a link shortener is old says nothing of where it leads. Null where no host could be judged.
 *
 * @param found the features of each host, null for one that could not be looked at.
 */
export function mergeHosts<Name extends string>(
  found: readonly (readonly Feature<Name>[] | null)[],
  reassuring: ReadonlySet<Name>,
): Evidence<Name> | null {
  if (found.every((features) => features === null)) return null;
  const merged = new Map<Name, Feature<Name>>();
  for (const feature of found.flatMap((features) => features ?? [])) {
    const values = found.map((features) => features?.find(({ name }) => name === feature.name)?.value ?? 0);
    const value = reassuring.has(feature.name) ? Math.min(...values) : Math.max(...values);
    if (value > 0 && (feature.value === value || !merged.has(feature.name)))
      merged.set(feature.name, { ...feature, value });
  }
  return { features: [...merged.values()], terms: [] };
}
