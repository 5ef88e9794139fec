import { forwarderOf } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import type { Host } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { type Evidence, evidenceOn } from '#src/engine/analyzers/analyzer.ts';
import { type BrandReading, type BrandSubject, brandAnalyzer, readBrands } from '#src/engine/analyzers/brand.ts';
import { CAMPAIGN_SIGNALS } from '#src/engine/analyzers/campaign-signal.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import { type ListsSubject, listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import type { AnalyzedPage } from '#src/engine/analyzers/page.ts';
import { type UrlSubject, urlAnalyzer } from '#src/engine/analyzers/url.ts';
import type { EvidenceByComponent } from '#src/engine/fusion/fuse.ts';
import type { ListHits } from '#src/network/probes/list-hits.ts';
import type { Observations } from '#src/network/probes/observations.ts';

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
