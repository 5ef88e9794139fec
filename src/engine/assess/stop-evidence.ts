import type { Host } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { type Evidence, evidenceOn } from '#src/engine/analyzers/analyzer.ts';
import { type BrandReading, readBrands } from '#src/engine/analyzers/brand.ts';
import { ANALYZERS, type Component } from '#src/engine/analyzers/index.ts';
import type { AnalyzedPage } from '#src/engine/analyzers/page.ts';
import type { EvidenceByComponent } from '#src/engine/fusion/fuse.ts';
import { unwrap } from '#src/engine/unwrap/unwrap.ts';
import type { HostObservations, Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { Models } from './models.ts';
import { asWrapped, spellingOf } from './spelling.ts';
import type { Stop } from './stops.ts';

/** Evidence as seen from one URL. The most suspicious reading is the verdict. */
export interface EvidenceReading {
  readonly evidence: EvidenceByComponent;
  /** The URL to which the observations belong. */
  readonly target: Target;
  readonly observations: Observations;
  /** Host that the reading is about: that of `target`, or of a URL wrapped inside it. */
  readonly host: Host;
  readonly brands: BrandReading;
  readonly page: AnalyzedPage | null;
}

/** Returns the evidence, and the same with the page in its other reading, if there are two. */
export function ofEachReading(reading: EvidenceReading): EvidenceReading[] {
  const other = reading.page?.alternative ?? null;
  if (other === null) return [reading];
  const evidence = new Map<Component, Evidence | null>([...reading.evidence, ['page', other.evidence]]);
  return [reading, { ...reading, evidence, page: other }];
}

/** Readings of a stop: with all its observations, and by its URL alone. */
export interface StopReadings {
  readonly whole: readonly EvidenceReading[];
  readonly alone: readonly EvidenceByComponent[];
}

/** Components whose evidence is about the URL itself, and whose reasons name it. */
const URL_COMPONENTS: ReadonlySet<Component> = new Set<Component>(['url', 'brand', 'lists']);

/**
 * Reads a stop as if it were the checked URL, with its own observations. URLs wrapped inside it count as well.
 *
 * Lists are looked up for each URL separately, since an entry covers only the URLs that it names. A link that starts on
 * an allowlisted host and leads to a blocked URL is blocked, because the blocked URL is the most suspicious one. An
 * allowlisted landing page does not clear the link that leads to it.
 *
 * @param way evidence of the redirects of the whole link; counts for the landing page.
 */
export function readStop(stop: Stop, observations: Observations, models: Models, way: Evidence | null): StopReadings {
  const { knowledge } = models;
  const { target, how, page } = stop;
  const brands = readBrands(target, knowledge);
  const own = observationsOf(stop, observations);
  const subject = { target, observations: own, models, knowledge, page, brands, isSuspicious: false };
  const evidence = new Map<Component, Evidence | null>();
  for (const analyzer of ANALYZERS) {
    const found = analyzer.analyze(subject);
    const isNamed = how !== null && found !== null && URL_COMPONENTS.has(analyzer.component);
    evidence.set(analyzer.component, isNamed ? evidenceOn(found, { how, host: target.host.text }) : found);
  }
  if (stop.isLanding) evidence.set('redirects', way);
  const whole: EvidenceReading[] = [{ evidence, target, host: target.host, observations: own, brands, page }];
  const alone = [
    new Map([...evidence].filter(([component]) => URL_COMPONENTS.has(component) || isUnseen(stop, component))),
  ];
  for (const wrapped of unwrap(target)) {
    const { brands: inside, spelling } = spellingOf(wrapped, subject);
    const said = spelling.map(([component, found]): [Component, Evidence | null] => {
      const inner = found && asWrapped(found, wrapped);
      return [component, inner && how !== null ? evidenceOn(inner, { how, host: target.host.text }) : inner];
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

/** Returns true for the evidence that a shortener was not followed, which needs only its URL. */
function isUnseen({ visit, how }: Stop, component: Component): boolean {
  return component === 'redirects' && visit === null && how !== 'http' && how !== 'refresh';
}

/** Returns the observations of a stop, as if it were the checked URL. */
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

/** Returns the visit as one that began where it ended. */
function ended(visit: PageVisit): PageVisit {
  return { ...visit, redirects: [], passed: [] };
}

/** Returns the visit to a URL that answered without a page. */
function passing(target: Target): PageVisit {
  return {
    ...{ redirects: [], passed: [], exits: [], headers: {}, document: null, stopped: null },
    ...{ finalUrl: target.url, statusCode: 200, contentLength: 0, truncated: false },
  };
}
