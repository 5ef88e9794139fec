import type { Knowledge } from '#src/core/knowledge/index.ts';
import { type Host, hostOf, parseHost } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { HostObservations, Observations } from '#src/network/probes/observations.ts';
import type { Evidence, Feature } from './analyzer.ts';

/** Input of an analyzer of the visited hosts. */
export interface HostSubject {
  readonly target: Target;
  readonly observations: Observations;
  readonly knowledge: Pick<Knowledge, 'hostFact'>;
}

/** A host that a visitor reaches: that of the link, or that on which its redirects end. */
export interface VisitedHost {
  readonly host: Host;
  readonly seen: HostObservations;
}

/** Returns the host of the link and, if its redirects end on another site, that host. */
export function visitedHosts({ host }: Target, observations: Observations): readonly VisitedHost[] {
  const asked = { host, seen: observations };
  const { landing } = observations;
  return landing ? [asked, { host: hostOf(landing.host), seen: landing }] : [asked];
}

/**
 * Merges the features of the hosts of one visit. A signal of danger at one host is enough. A reassurance counts only if
 * all hosts give it: the age of a link shortener says nothing about its target. Null if no host could be classified.
 *
 * @param found features of each host; null for a host without an observation.
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

/** Returns the host of a name in a certificate, the parent of a wildcard; null if it is not a host name. */
export function certifiedHost(name: string): Host | null {
  return parseHost(name.replace(/^\*\./, ''));
}
