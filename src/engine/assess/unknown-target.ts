import type { Evidence, Feature } from '#src/engine/analyzers/analyzer.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import type { EvidenceByComponent } from '#src/engine/fusion/fuse.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';

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
