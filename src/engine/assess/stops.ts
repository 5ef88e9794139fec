import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Feature } from '#src/engine/analyzers/analyzer.ts';
import type { AnalyzedPage, PageFeatureName } from '#src/engine/analyzers/page.ts';
import type { AssessedHop, HopKind } from '#src/engine/fusion/fuse.ts';
import type { HostObservations, Observations } from '#src/network/probes/observations.ts';
import type { PageVisit, VisitExit } from '#src/network/probes/page-visit.ts';
import { UNREAD_PARTS } from './unseen-evidence.ts';

/** Analyzed pages of a visit. */
export interface AnalyzedPages {
  /** The page on which the visit ended; null if none was read. */
  readonly landing: AnalyzedPage | null;
  /** Pages that forwarded the visitor, in the order of {@link PageVisit.passed}. */
  readonly passed: readonly (AnalyzedPage | null)[];
}

/** No page was read. */
export const NO_PAGES: AnalyzedPages = { landing: null, passed: [] };

/** A step from one URL to the next, without scores. */
export type UnscoredHop = Omit<AssessedHop, 'probability' | 'decision'>;

/** A URL to which the checked one leads, or a page on the way, with its own observations only. */
export interface Stop {
  readonly target: Target;
  /** Kind of the hop that leads to it; null for the checked URL itself. */
  readonly how: HopKind | null;
  /** The visit that ends here; null if no page of it was read. */
  readonly visit: PageVisit | null;
  readonly page: AnalyzedPage | null;
  readonly hosts: HostObservations | null;
  /** True if visitors end here; evidence of the whole way then counts for it as well. */
  readonly isLanding: boolean;
}

/** A page on the way, with observations as if it were the checked one. */
export interface PassedPage {
  readonly target: Target;
  readonly observations: Observations;
}

/** Returns the other pages of a visit, in the order of {@link PageVisit.passed}. */
export function passedPages(target: Target, observations: Observations): readonly PassedPage[] {
  const { page } = observations;
  if (page.state !== 'observed') return [];
  return page.value.passed.map((visit) => {
    const place = targetOf(visit.finalUrl) ?? target;
    const hosts = hostsOf(place, target, observations);
    return {
      target: place,
      observations: { ...observations, ...hosts, page: { ...page, value: visit }, landing: null },
    };
  });
}

/** Returns every step of a visit: those that were followed, in order, then those that were only found. */
export function hopsOf({ page }: Pick<Observations, 'page'>): UnscoredHop[] {
  if (page.state !== 'observed') return [];
  const { redirects, passed, exits, finalUrl, stopped } = page.value;
  const read = new Set([...passed.map((one) => one.finalUrl), finalUrl]);
  const followed = redirects.map((hop, i) => {
    const isLoop = hop.location === hop.url && stopped?.code === 'too_many_redirects';
    const { location } = hop;
    const isSource = redirects.slice(i + 1).some(({ url }) => url === location);
    return { ...hop, followed: location !== null && !isLoop && (isSource || read.has(location)) };
  });
  const found = [...passed, { exits, finalUrl }].flatMap((visit) =>
    visit.exits.map((exit) => foundHop(visit.finalUrl, exit)),
  );
  return [...followed, ...found];
}

function foundHop(url: string, { how, url: location }: VisitExit): UnscoredHop {
  return { url, status: null, location, address: null, how, followed: false };
}

/**
 * Returns the URLs to which the checked one leads, each once; the checked URL itself only if a page of it was passed.
 * Observations of a site are attached to the stops on that site only, so that a trusted first host does not count for a
 * later one.
 */
export function stopsOf(target: Target, observations: Observations, { landing, passed }: AnalyzedPages): Stop[] {
  const { page } = observations;
  if (page.state !== 'observed') return [];
  const { value: visit } = page;
  const pages = new Map(
    visit.passed.map((one, i) => [one.finalUrl, { visit: one, page: withoutUnread(passed[i] ?? null) }]),
  );
  const stops = new Map<string, Stop>();
  const first = pages.get(target.url);
  if (first) stops.set(target.url, { ...first, target, how: null, hosts: observations, isLanding: false });
  for (const { location, how } of hopsOf(observations)) {
    const next = location === null || location === target.url || stops.has(location) ? null : targetOf(location);
    if (!location || !next) continue;
    const isFinal = location === visit.finalUrl;
    // Visitors are sent to the last location even if it was unreachable from here.
    const isLanding = isFinal || location === visit.redirects.at(-1)?.location;
    const own = pages.get(location) ?? (isFinal ? { visit, page: landing && asLanding(landing) } : NOT_READ);
    stops.set(location, { ...own, target: next, how, hosts: hostsOf(next, target, observations), isLanding });
  }
  return [...stops.values()];
}

const NOT_READ = { visit: null, page: null };

/** Returns the observations of the host of a stop; null if another site was looked up. */
function hostsOf(stop: Target, asked: Target, observations: Observations): HostObservations | null {
  const { landing, dns, registration, certificate } = observations;
  if (landing && targetOf(`http://${landing.host}/`)?.host.site === stop.host.site) return landing;
  return stop.host.site === asked.host.site ? { dns, registration, certificate } : null;
}

/** Returns a page that leads on without the reasons that it was not seen: what it leads to was, or has its own reason. */
function withoutUnread(page: AnalyzedPage | null): AnalyzedPage | null {
  if (page === null) return null;
  const features = page.evidence.features.filter(({ name }) => !UNREAD_PARTS.has(name));
  return { ...page, evidence: { ...page.evidence, features } };
}

/** Returns a page as evidence about its own URL; what it shows of its own site counts there. */
function asLanding(page: AnalyzedPage): AnalyzedPage {
  const own: readonly Feature<PageFeatureName>[] = page.atLanding === null ? [] : [page.atLanding];
  const alternative = page.alternative && asLanding(page.alternative);
  return { ...page, alternative, evidence: { ...page.evidence, features: [...page.evidence.features, ...own] } };
}

function targetOf(url: string): Target | null {
  const target = parseTarget(url);
  return isTargetProblem(target) ? null : target;
}
