import { forwarderOf } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import type { Host } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { type Evidence, evidenceOn } from '#src/engine/analyzers/analyzer.ts';
import { type BrandReading, type BrandSubject, brandAnalyzer, readBrands } from '#src/engine/analyzers/brand.ts';
import { ANALYZERS, type Component } from '#src/engine/analyzers/index.ts';
import { CAMPAIGN_SIGNALS, type ListsSubject, listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import type { AnalyzedPage } from '#src/engine/analyzers/page.ts';
import { type UrlSubject, urlAnalyzer } from '#src/engine/analyzers/url.ts';
import type { EvidenceByComponent, HopKind } from '#src/engine/fusion/fuse.ts';
import type { HostObservations, ListHits, Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { Models } from './settings.ts';
import type { Stop } from './stops.ts';
import { withUnseen } from './unseen-evidence.ts';

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

/** Analyzers of a URL by itself, which also apply to a URL inside another. */
const INSIDE_ANALYZERS = [urlAnalyzer, brandAnalyzer, listsAnalyzer] as const;

/** Input of the analyzers of a URL by itself. */
type InsideSubject = UrlSubject & BrandSubject & ListsSubject & { readonly observations: Observations };

/**
 * Returns the reading of a URL, and one for each URL that it wraps. Evidence of its host and page also applies to those; lists
 * are looked up for each URL separately, since an entry covers only the URLs that it names: an allowlist entry for one
 * clears no other. A service that only forwards has no reading of its own if its target is known, unless a list has it.
 */
export function readingsOf(own: EvidenceReading, subject: InsideSubject): readonly EvidenceReading[] {
  const { target, evidence, observations } = own;
  const inside = unwrap(target).map((inner): EvidenceReading => {
    const brands = readBrands(inner, subject.knowledge);
    const lists = listsInside(observations.lists, inner.url);
    const about = { ...subject, target: inner, brands, observations: { ...observations, lists, campaign: NOT_SHARED } };
    const found = INSIDE_ANALYZERS.map((analyzer) => {
      const said = analyzer.analyze(about);
      return [analyzer.component, said && evidenceOn(said, { how: 'inside', host: inner.host.text })] as const;
    });
    return { ...own, host: inner.host, brands, evidence: evidenceInside(evidence, new Map(found)) };
  });
  const isPassedOn = inside.length > 0 && forwarderOf(target.host.text, target.path) !== null;
  return isPassedOn && !hasListEntry(evidence) ? inside : [own, ...inside];
}

/** Observation of what several URLs of one site share: it is counted for the outer URL alone. */
const NOT_SHARED = { state: 'skipped', reason: 'not_applicable' } as const;

const NO_HITS: ListHits = { blocked: null, allowed: null };

function listsInside(lists: Observations['lists'], url: string): Observations['lists'] {
  if (lists.state !== 'observed') return lists;
  return { ...lists, value: lists.value.inside?.find((one) => one.url === url)?.hits ?? NO_HITS };
}

/** Joins the evidence of a URL with that of one inside it. If an allowlist clears the outer one, nothing else of it counts. */
function evidenceInside(outer: EvidenceByComponent, found: EvidenceByComponent): EvidenceByComponent {
  const lists = outer.get('lists')?.features ?? [];
  const isCleared = lists.some(({ name }) => name === 'lists.allowed' || name === 'lists.kept_allowed');
  const carried = [...outer].map(([component, one]): [Component, Evidence | null] => [
    component,
    isCleared ? null : one,
  ]);
  const shared = lists.filter(({ name }) => isCampaignSignal(name));
  const own = found.get('lists') ?? null;
  const joined = shared.length === 0 ? own : { features: [...(own?.features ?? []), ...shared], terms: [] };
  return new Map([...carried, ...found, ['lists', joined]]);
}

function hasListEntry(evidence: EvidenceByComponent): boolean {
  return evidence.get('lists')?.features.some(({ name }) => !isCampaignSignal(name)) === true;
}

const isCampaignSignal = (name: string): boolean => CAMPAIGN_SIGNALS.some((signal) => signal === name);

/** Returns the evidence, and the same with the page in its other reading, if there are two. */
export function ofEachReading(reading: EvidenceReading): EvidenceReading[] {
  const other = reading.page?.alternative ?? null;
  if (other === null) return [reading];
  const evidence = new Map<Component, Evidence | null>([...reading.evidence, ['page', other.evidence]]);
  return [reading, { ...reading, evidence, page: other }];
}

/** Components whose evidence is about the URL itself, and whose reasons name it. */
const URL_COMPONENTS: ReadonlySet<Component> = new Set<Component>(['url', 'brand', 'lists']);

/**
 * Reads a stop as if it were the checked URL, with all its observations, and by its URL alone. URLs wrapped inside it count as
 * well.
 *
 * Lists are looked up for each URL separately, since an entry covers only the URLs that it names. A link that starts on
 * an allowlisted host and leads to a blocked URL is blocked, because the blocked URL is the most suspicious one. An
 * allowlisted landing page does not clear the link that leads to it.
 *
 * @param link evidence of the whole link; its redirects count for the landing page.
 */
export function readStop(stop: Stop, observations: Observations, models: Models, link: EvidenceByComponent) {
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
  const alone: EvidenceReading = { evidence, target, host: target.host, observations: own, brands, page };
  const way = stop.isLanding ? new Map(evidence).set('redirects', link.get('redirects') ?? null) : evidence;
  const whole: EvidenceReading = { ...alone, evidence: withUnseen(way, link) };
  return {
    whole: readingsOf(whole, subject).map((one) => (how === null ? one : onWay(one, whole, how))),
    alone: readingsOf(alone, subject).map(({ evidence: found }) => {
      const kept = [...found].filter(([component]) => URL_COMPONENTS.has(component) || isUnseen(stop, component));
      return new Map(kept);
    }),
  };
}

/** Returns the reading of a URL inside a stop with its evidence as that of the stop. */
function onWay(one: EvidenceReading, stop: EvidenceReading, how: HopKind): EvidenceReading {
  if (one === stop) return one;
  const named = [...one.evidence].map(([component, found]): [Component, Evidence | null] => {
    const isInside = found !== null && URL_COMPONENTS.has(component) && found !== stop.evidence.get(component);
    return [component, isInside ? evidenceOn(found, { how, host: stop.host.text }) : found];
  });
  return { ...one, evidence: new Map(named) };
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
