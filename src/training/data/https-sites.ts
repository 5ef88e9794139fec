import { parseHost } from '#src/core/url/host.ts';
import type { Row } from './dataset.ts';
import type { PopularSite } from './popularity.ts';

/** Stands for the list among the sources of rows. */
const SOURCE = 'https_sites';

/** Data that only training reads: part of a checkout, not of the executable. */
const HTTPS_SITES = `${import.meta.dir}/https-sites.txt`;

/**
 * Reads the names of sites whose owners put them on browsers' HSTS preload list: most are honest, small and of all
 * countries. Null in the executable, which does not carry the list.
 */
export async function readHttpsSites(): Promise<string[] | null> {
  if (!(await Bun.file(HTTPS_SITES).exists())) return null;
  const text = await Bun.file(HTTPS_SITES).text();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

export interface NameChoice {
  /** The rows that are fitted on. */
  readonly fit: readonly Row[];
  /** All that is known, of which sites with a phishing row are no honest ones. */
  readonly rows: readonly Row[];
  /** Sites of which nothing may be fitted on. */
  readonly tested: ReadonlySet<string>;
  /** Popular sites have a constant of their own. */
  readonly popularity: readonly PopularSite[];
}

/** The bare hosts of the list as benign rows, but for those that {@link NameChoice} rules out or has already. */
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
