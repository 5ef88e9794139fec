import type { HostObservations, Observations } from '#src/network/probes/observations.ts';
import { type Host, hostOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Evidence, Feature } from './analyzer.ts';

/** A host that a visitor comes to: the one of the link, or the one that its redirects end on. */
export interface VisitedHost {
  readonly host: Host;
  readonly seen: HostObservations;
}

/** The host of the link, and where its redirects end on another site, that one too. */
export function visitedHosts({ host }: Target, observations: Observations): readonly VisitedHost[] {
  const asked = { host, seen: observations };
  const { landing } = observations;
  return landing ? [asked, { host: hostOf(landing.host), seen: landing }] : [asked];
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
  const names = new Set(found.flatMap((features) => features?.map(({ name }) => name) ?? []));
  const features = [...names].flatMap((name) => {
    const ofHosts = found.map((own) => own?.find((feature) => feature.name === name));
    const seen = ofHosts.filter((feature) => feature !== undefined).toSorted((a, b) => b.value - a.value);
    if (!reassuring.has(name)) return seen[0] ?? [];
    return seen.length === ofHosts.length ? (seen.at(-1) ?? []) : [];
  });
  return { features, terms: [] };
}
