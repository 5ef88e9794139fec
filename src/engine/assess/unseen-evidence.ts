import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import type { PageFeatureName } from '#src/engine/analyzers/page.ts';
import type { EvidenceByComponent } from '#src/engine/fusion/fuse.ts';

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
