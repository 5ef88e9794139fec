import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { chosenName, parseHost } from '#src/core/url/host.ts';

const HEAD = {
  source:
    'domains of brands under country suffixes, as published by: Chrome UX Report (Google) and Majestic Million, see popular-sites.txt; 2factorauth/twofactorauth; bitwarden/server (global equivalent domains); MISP/misp-warninglists (banks, Microsoft); HSTS preload list of Chromium',
  retrieved: '2026-11-23',
  licence: 'facts; CC-BY-4.0 (Chrome UX Report), CC-BY-3.0 (Majestic), MIT (twofactorauth), CC0-1.0 (MISP)',
};

/** Files of the facts folder with domains of brands, as texts anywhere in them. */
export const PUBLISHED_FILES = [
  'bitwarden_global_domains.json',
  'twofactorauth_brands.json',
  'misp_bank-website.json',
  'misp_microsoft.json',
] as const;

/** Returns every name in texts, in lower case and without `www.`. */
export function namesIn(text: string): string[] {
  return Array.from(text.matchAll(/[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi), ([name]) =>
    name.toLowerCase().replace(/^www\./, ''),
  );
}

/**
 * Returns the text of `brand-country-domains.json`: by name of a brand that has `NAME.*` among its domains, the suffixes
 * under which a published list names it.
 */
export function deriveCountryDomains(brands: readonly Brand[], published: Iterable<string>): string {
  const names = new Set(
    brands.flatMap(({ domains }) => domains.filter((one) => one.endsWith('.*')).map((one) => one.slice(0, -2))),
  );
  const suffixes = new Map<string, Set<string>>();
  for (const text of published) {
    const host = parseHost(text);
    if (host?.kind !== 'name' || host.text !== host.registrable || host.registrable !== host.site) continue;
    const name = chosenName(host);
    const isCountry = /^(?:[a-z]{2,3}\.)?[a-z]{2}$/.test(host.suffix);
    if (isCountry && names.has(name)) suffixes.getOrInsertComputed(name, () => new Set()).add(host.suffix);
  }
  const entries = [...suffixes].toSorted().map(([name, found]) => [name, [[...found].toSorted().join(' ')]]);
  return `${JSON.stringify({ ...HEAD, entries: Object.fromEntries(entries) }, null, 2)}\n`;
}
