import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import { type BrandReading, readBrands } from '#src/engine/analyzers/brand.ts';
import { ANALYZERS, type Component } from '#src/engine/analyzers/index.ts';
import type { JudgedPage } from '#src/engine/analyzers/page.ts';
import type { HopKind } from '#src/engine/fusion/assessment.ts';
import type { EvidenceByComponent } from '#src/engine/fusion/fuse.ts';
import { asSentence } from '#src/engine/reasons/sentence.ts';
import type { HostObservations, Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { unwrap } from '#src/engine/unwrap/unwrap.ts';
import type { Host } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Models } from './models.ts';
import { ofWrapped, spellingOf } from './spelling.ts';
import type { Stop } from './stops.ts';

/** A way to read the evidence: as that of one URL. The most suspicious reading is the verdict. */
export interface EvidenceReading {
  readonly evidence: EvidenceByComponent;
  /** The URL, and what was observed of it. */
  readonly target: Target;
  readonly observations: Observations;
  /** Host of the URL that the reading is about: of `target`, or of the one wrapped inside it. */
  readonly host: Host;
  readonly brands: BrandReading;
  readonly page: JudgedPage | null;
}

/** What a stop says: with all that was observed of it, and by its URL alone. */
export interface StopReadings {
  readonly whole: readonly EvidenceReading[];
  readonly alone: readonly EvidenceByComponent[];
}

/** Components whose evidence is about the URL itself, and whose reasons name it. */
const OF_URL: ReadonlySet<Component> = new Set<Component>(['url', 'brand', 'lists']);

/**
 * Reads a stop as if it had been checked itself, with what was observed of it. Links wrapped inside it count, too.
 *
 * Lists are looked up for each URL by itself: an entry covers the URLs that it names and no others. A link whose first host
 * is on an allowlist and that leads to a blocked URL is blocked, since the blocked URL is the most suspicious one on the
 * way; an allowlisted landing page does not clear the link that leads to it either.
 *
 * @param way what was found of the redirects of the whole link; counts for the landing page.
 */
export function readStop(stop: Stop, observations: Observations, models: Models, way: Evidence | null): StopReadings {
  const { knowledge } = models;
  const { target, how, page } = stop;
  const brands = readBrands(target, knowledge);
  const own = observationsOf(stop, observations);
  const subject = { target, observations: own, models, knowledge, page, brands, isDoubted: false };
  const evidence = new Map<Component, Evidence | null>();
  for (const analyzer of ANALYZERS) {
    const found = analyzer.analyze(subject);
    const isNamed = how !== null && found !== null && OF_URL.has(analyzer.component);
    evidence.set(analyzer.component, isNamed ? about(found, how, target) : found);
  }
  if (stop.isLanding) evidence.set('redirects', way);
  const whole: EvidenceReading[] = [{ evidence, target, host: target.host, observations: own, brands, page }];
  const alone = [new Map([...evidence].filter(([component]) => OF_URL.has(component) || isUnseen(stop, component)))];
  for (const wrapped of unwrap(target)) {
    const { brands: inside, spelling } = spellingOf(wrapped, subject);
    const said = spelling.map(([component, found]): [Component, Evidence | null] => {
      const inner = found && ofWrapped(found, wrapped);
      return [component, inner && how !== null ? about(inner, how, target) : inner];
    });
    whole.push({
      ...{ evidence: new Map([...evidence, ...said]), target, host: wrapped.host },
      ...{ observations: own, brands: inside, page },
    });
    const [first] = alone;
    if (first) alone.push(new Map([...first, ...said]));
  }
  return { whole, alone };
}

/** Where a shortener leads that nobody followed is unknown, which its URL alone says. */
function isUnseen({ visit, how }: Stop, component: Component): boolean {
  return component === 'redirects' && visit === null && how !== 'http' && how !== 'refresh';
}

/** What was observed of a stop, as if it had been the checked URL. */
function observationsOf({ target, how, visit, hosts }: Stop, { page, lists, hopLists }: Observations): Observations {
  const hits = hopLists?.find(({ url }) => url === target.url)?.hits;
  const ofHop: Observations['lists'] = hits ? { state: 'observed', value: hits, elapsedMs: 0 } : SKIPPED;
  const isFollowed = visit !== null || how === 'http' || how === 'refresh';
  return {
    ...(hosts ?? UNOBSERVED),
    page:
      page.state === 'observed' && isFollowed ? { ...page, value: visit ? ended(visit) : passing(target) } : SKIPPED,
    lists: how === null ? lists : ofHop,
    landing: null,
  };
}

const SKIPPED = { state: 'skipped', reason: 'not_applicable' } as const;
const UNOBSERVED: HostObservations = { dns: SKIPPED, registration: SKIPPED, certificate: SKIPPED };

/** The visit as one that began where it ended. */
function ended(visit: PageVisit): PageVisit {
  return { ...visit, redirects: [], passed: [] };
}

/** The visit to a URL that answered and had no page. */
function passing(target: Target): PageVisit {
  return {
    ...{ redirects: [], passed: [], exits: [], headers: {}, document: null, stopped: null },
    ...{ finalUrl: target.url, statusCode: 200, contentLength: 0, truncated: false },
  };
}

/** How a reason begins that is about a URL to which the checked one leads. `argsOf` in the record room reads it. */
const WAYS: Readonly<Record<HopKind, (host: string) => string>> = {
  http: (host) => `The link redirects to ${host}.`,
  refresh: (host) => `The page sends visitors on to ${host}.`,
  script: (host) => `A script of the page leads to ${host}.`,
  frame: (host) => `A frame fills the page with ${host}.`,
  link: (host) => `The only link of the page leads to ${host}.`,
};

function about({ features, terms }: Evidence, how: HopKind, { host }: Target): Evidence {
  const message = (text: string) => `${WAYS[how](host.text)} ${asSentence(text)}`;
  return {
    features: features.map((feature) => ({ ...feature, message: message(feature.message) })),
    terms: terms.map((term) => ({ ...term, message: message(term.message) })),
  };
}
