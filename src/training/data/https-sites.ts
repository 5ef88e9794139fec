import { parseHost } from '#src/core/url/host.ts';
import type { Row } from './dataset.ts';
import type { PopularSite } from './popularity.ts';

/** Source of the rows of the list. */
const SOURCE = 'https_sites';

/** Data that only training reads: part of a checkout, not of the executable. */
const HTTPS_SITES = `${import.meta.dir}/https-sites.txt`;

/**
 * Reads the names of sites on browsers' HSTS preload list: most are honest, small and from all countries. Null in the
 * executable, which does not contain the list.
 */
export async function readHttpsSites(): Promise<string[] | null> {
  if (!(await Bun.file(HTTPS_SITES).exists())) return null;
  const text = await Bun.file(HTTPS_SITES).text();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

export interface NameChoice {
  /** Rows of the fit. */
  readonly fit: readonly Row[];
  /** All known rows; a site with a phishing row in them is not honest. */
  readonly rows: readonly Row[];
  /** Sites that are excluded from the fit. */
  readonly tested: ReadonlySet<string>;
  /** Popular sites, which have a constant of their own. */
  readonly popularity: readonly PopularSite[];
}

/** Returns the bare hosts of the list as benign rows, except those that {@link NameChoice} excludes or already has. */
export function honestNames(names: readonly string[], { fit, rows, tested, popularity }: NameChoice): Row[] {
  const seen = new Set(fit.filter(({ bare }) => bare).map(({ canon }) => canon));
  const phishing = rows.filter((row) => row.phishing).map(({ site }) => site);
  const without = new Set([...tested, ...phishing, ...popularity.map(({ site }) => site)]);
  return names.flatMap((name) => {
    const host = parseHost(name);
    if (host === null || seen.has(host.text) || without.has(host.site)) return [];
    const { text: canon, site, registrable } = host;
    return { phishing: false, source: SOURCE, date: '', canon, site, hosted: registrable !== site, bare: true };
  });
}
