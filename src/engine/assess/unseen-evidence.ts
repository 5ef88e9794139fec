import type { Evidence, Feature } from '#src/engine/analyzers/analyzer.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import type { PageFeatureName } from '#src/engine/analyzers/page.ts';
import { leadsOnUnread } from '#src/engine/analyzers/redirects.ts';
import type { Coverage, EvidenceByComponent } from '#src/engine/fusion/fuse.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import { isReadToEnd } from '#src/network/html/document.ts';
import { contentOf } from '#src/network/html/shown-content.ts';
import type { Observations } from '#src/network/probes/observations.ts';

/** Terms about the name of a host. */
const NAME_TERMS: ReadonlySet<string> = new Set(['url.popular_site', 'url.name', 'url.subdomain', 'url.suffix']);

/**
 * Returns the evidence about a link whose target is unknown, without the name of the service that forwards it, which says
 * nothing about the target, and without what speaks for that service: its registration, its certificate, its own page.
 * Lists still count, and so does the rest of the spelling.
 *
 * The result never depends on reassuring observations, so that a visit that learned nothing gives no lower probability
 * than no visit.
 *
 * @param host host that the evidence is about.
 */
export function withoutForwarder(
  evidence: EvidenceByComponent,
  host: string,
  { weights }: Pick<FusionModel, 'weights'>,
): EvidenceByComponent {
  if (unseenEnd(evidence)?.args['shortener'] !== host) return evidence;
  const isReassuring = (name: string) => (weights[name]?.weight ?? 0) < 0;
  return new Map(
    [...evidence].map(([component, found]): [Component, Evidence | null] => {
      if (found === null || component === 'lists') return [component, found];
      return [
        component,
        {
          features: found.features.filter(({ name }) => !isReassuring(name)),
          terms: found.terms.filter(({ code }) => !NAME_TERMS.has(code)),
        },
      ];
    }),
  );
}

/** Returns true if a link ends at a service whose target is unknown; whatever it answered is not what the link shows. */
export function isEndUnseen(evidence: EvidenceByComponent): boolean {
  return unseenEnd(evidence) !== undefined;
}

function unseenEnd(evidence: EvidenceByComponent): Feature | undefined {
  return evidence.get('redirects')?.features.find(({ name }) => name === 'redirects.end_unseen');
}

/** Features of a page that say that a part of it was not seen. */
export const UNREAD_PARTS: ReadonlySet<PageFeatureName> = new Set<PageFeatureName>([
  'page.drawn_by_script',
  'page.unread_frame',
  'page.unread_picture',
]);

/** Features that say that the end of a link was not seen. */
const UNSEEN: ReadonlySet<string> = new Set([...UNREAD_PARTS, 'redirects.not_followed', 'redirects.end_unseen']);

/**
 * Returns the evidence of a step on the way with the features that the end of the link was not seen: they hold for every
 * step, so that a verdict on any of them has the reason for its coverage.
 *
 * @param whole evidence of the whole link.
 */
export function withUnseen(
  evidence: EvidenceByComponent,
  whole: EvidenceByComponent,
): ReadonlyMap<Component, Evidence | null> {
  const added = new Map(evidence);
  for (const [component, found] of whole) {
    const own = evidence.get(component);
    const unseen = found?.features.filter(({ name }) => UNSEEN.has(name) && !has(own, name)) ?? [];
    if (unseen.length === 0) continue;
    added.set(component, { features: [...(own?.features ?? []), ...unseen], terms: own?.terms ?? [] });
  }
  return added;
}

function has(evidence: Evidence | null | undefined, meant: string): boolean {
  return evidence?.features.some(({ name }) => name === meant) ?? false;
}

/**
 * Returns how much of what a person would see the verdict is based on; the one definition of
 * `analysis_details.coverage`. DNS, registration and certificate do not count.
 *
 * @param isStandIn true if another page answered instead of the one to which the link leads.
 */
export function coverageOf({ page }: Pick<Observations, 'page'>, isStandIn: boolean): Coverage {
  if (page.state !== 'observed' || isStandIn) return 'url_only';
  const { document, statusCode, stopped, truncated, passed } = page.value;
  if (document === null || isErrorStatus(statusCode)) return 'url_only';
  const isCut = stopped !== null || truncated || !isReadToEnd(document) || contentOf(document).unread !== null;
  return isCut || [...passed, page.value].some(leadsOnUnread) ? 'partial' : 'full';
}

/** An error page describes the request and is not the page that the link is meant to show. */
function isErrorStatus(statusCode: number): boolean {
  return statusCode >= 400;
}
