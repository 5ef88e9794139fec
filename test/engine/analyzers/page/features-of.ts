import { readBrandTable } from '#src/core/knowledge/brands/brands.ts';
import type { HostFact } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { Feature } from '#src/engine/analyzers/analyzer.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { ViewSubject } from '#src/engine/analyzers/page/page-view.ts';
import { analyzePage, type PageFeatureName } from '#src/engine/analyzers/page.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';

/** Synthetic brands, so that the curated table may change independently. */
const brands = readBrandTable({
  source: 'synthetic',
  retrieved: '2026-11-20',
  licence: 'none',
  entries: [
    { name: 'Paywell', domains: 'paywell.example paywell-static.example', names: 'paywell' },
    { name: 'First Harbour Bank', domains: 'firstharbour.example', names: 'firstharbour' },
    { name: 'Line', domains: 'line.example', words: 'line' },
  ],
});

const hostFact = ({ text }: Host): HostFact | null =>
  text === 'forms.paywell.example' ? { domain: text, kind: 'form' } : null;

/** Returns a page at an address as input of the analyzer. */
export function subjectOf(html: string, url = 'https://some-host.test/a/'): ViewSubject {
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new Error(target.message);
  const bytes = new TextEncoder().encode(html);
  const document = readPage(bytes, { contentType: 'text/html; charset=utf-8', url });
  const value = visitOf(target, { contentLength: bytes.length, document });
  return {
    target,
    observations: { page: { state: 'observed', value, elapsedMs: 0 } },
    knowledge: { brands, hostFact },
  };
}

/** Returns the features of a page by name. */
export function featuresOf(
  html: string,
  url?: string,
  own: readonly ConfiguredBrand[] = [],
): Partial<Record<PageFeatureName, Feature>> {
  const page = analyzePage(subjectOf(html, url), own);
  return Object.fromEntries(page?.evidence.features.map((feature) => [feature.name, feature]) ?? []);
}
