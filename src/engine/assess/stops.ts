import type { Feature } from '#src/engine/analyzers/analyzer.ts';
import type { JudgedPage, PageFeatureName } from '#src/engine/analyzers/page.ts';
import type { AssessedHop, HopKind } from '#src/engine/fusion/assessment.ts';
import type { HostObservations, Observations } from '#src/network/probes/observations.ts';
import type { PageVisit, VisitExit } from '#src/network/probes/page-visit.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';

/** The pages of a visit as they were judged. */
export interface JudgedPages {
  /** The page on which the visit ended; null if none was read. */
  readonly landing: JudgedPage | null;
  /** Those that sent the visitor on, in the order of {@link PageVisit.passed}. */
  readonly passed: readonly (JudgedPage | null)[];
}

/** Nothing of a page was read. */
export const NO_PAGES: JudgedPages = { landing: null, passed: [] };

/** A step from one URL to the next, not yet scored. */
export type UnscoredHop = Omit<AssessedHop, 'probability' | 'decision'>;

/** A URL that the checked one leads to, or a page on the way, with what was observed of it and of nothing else. */
export interface Stop {
  readonly target: Target;
  /** How visitors come to it; null for the checked URL itself. */
  readonly how: HopKind | null;
  /** The visit that ends here; null if no page of it was read. */
  readonly visit: PageVisit | null;
  readonly page: JudgedPage | null;
  readonly hosts: HostObservations | null;
  /** True if visitors end here: what is said of the whole way counts for it, too. */
  readonly isLanding: boolean;
}

/** A page on the way, as an observation of its own. */
export interface PassedPage {
  readonly target: Target;
  readonly observations: Observations;
}

/** Returns the pages that sent the visitor on by a refresh, in the order of {@link PageVisit.passed}. */
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
  const { redirects, passed, exits, finalUrl } = page.value;
  const last = redirects.length - 1;
  const followed = redirects.map((hop, i) => ({ ...hop, followed: i < last || hop.location === finalUrl }));
  const found = [...passed, { exits, finalUrl }].flatMap((visit) =>
    visit.exits.map((exit) => foundHop(visit.finalUrl, exit)),
  );
  return [...followed, ...found];
}

function foundHop(url: string, { how, url: location }: VisitExit): UnscoredHop {
  return { url, status: null, location, address: null, how, followed: false };
}

/**
 * Returns what the checked URL leads to, each URL once, apart from the checked URL itself unless a page of it was passed.
 * What was observed of one site is attached to the stops on that site alone, so that a trusted first host says nothing for
 * a later one.
 */
export function stopsOf(target: Target, observations: Observations, { landing, passed }: JudgedPages): Stop[] {
  const { page } = observations;
  if (page.state !== 'observed') return [];
  const { value: visit } = page;
  const pages = new Map(visit.passed.map((one, i) => [one.finalUrl, { visit: one, page: passed[i] ?? null }]));
  const stops = new Map<string, Stop>();
  const first = pages.get(target.url);
  if (first) stops.set(target.url, { ...first, target, how: null, hosts: observations, isLanding: false });
  for (const { location, how } of hopsOf(observations)) {
    const next = location === null || location === target.url || stops.has(location) ? null : targetOf(location);
    if (!location || !next) continue;
    const isFinal = location === visit.finalUrl;
    // Visitors are sent to the last location also if it could not be reached from here.
    const isLanding = isFinal || location === visit.redirects.at(-1)?.location;
    const own = pages.get(location) ?? (isFinal ? { visit, page: landing && asLanding(landing) } : NOT_READ);
    stops.set(location, { ...own, target: next, how, hosts: hostsOf(next, target, observations), isLanding });
  }
  return [...stops.values()];
}

const NOT_READ = { visit: null, page: null };

/** What was observed of the host of a stop; null if another site was looked up. */
function hostsOf(stop: Target, asked: Target, observations: Observations): HostObservations | null {
  const { landing, dns, registration, certificate } = observations;
  if (landing && targetOf(`http://${landing.host}/`)?.host.site === stop.host.site) return landing;
  return stop.host.site === asked.host.site ? { dns, registration, certificate } : null;
}

/** A page as evidence about the URL that it stands on: what it shows of its own site counts there. */
function asLanding(page: JudgedPage): JudgedPage {
  const own: readonly Feature<PageFeatureName>[] = page.atLanding === null ? [] : [page.atLanding];
  return { ...page, evidence: { ...page.evidence, features: [...page.evidence.features, ...own] } };
}

function targetOf(url: string): Target | null {
  const target = parseTarget(url);
  return isTargetProblem(target) ? null : target;
}
