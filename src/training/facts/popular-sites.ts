import { join } from 'node:path';
import { parseHost } from '#src/core/url/host.ts';

const HEADER = `# lurecheck popular sites 1
# source: Chrome UX Report, Google, CC BY 4.0 (developer.chrome.com/docs/crux), ranks of July 2026: the 100,000 most visited origins whose sites were among 500,000 in January 2026 too, as 5;
# source: Majestic Million (majestic.com/reports/majestic-million), first 15,000 rows of 2026-03-12, as 3, 4, 5: among the first 1000, 10000, all;
# source: services of 2factorauth/twofactorauth and banks of MISP/misp-warninglists (2026-11-20), as 5
# retrieved: 2026-11-23
# changed: origins reduced to registrable domains; without sites of the Chrome UX Report alone that have a phishing row in the training data
# licence: CC-BY-4.0 (Chrome UX Report), CC-BY-3.0 (Majestic), MIT (twofactorauth), CC0-1.0 (MISP)
`;

const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Ranks of the Chrome UX Report: the file of a rank has the origins that are not in the files before. */
const CRUX_RANKS = [1000, 5000, 10_000, 50_000, 100_000, 500_000];

export interface PopularityLists {
  /** Latest month of the Chrome UX Report, up to the rank that counts. */
  readonly crux: readonly string[];
  /** The same of half a year before; a site only in the latest month may be a campaign. */
  readonly cruxBefore: readonly string[];
  /** Lists whose names have been known for longer than a campaign lasts, the most popular first. */
  readonly lasting: readonly string[];
  /** Sites with a phishing row. */
  readonly phishing: ReadonlySet<string>;
}

/** Reads the lists in the data folder whose licences allow their names in a commercial product. */
export async function readPopularityLists(dataDir: string, phishing: ReadonlySet<string>): Promise<PopularityLists> {
  const latest = await readCrux(join(dataDir, 'crux-2026-07'), 100_000);
  const before = await readCrux(join(dataDir, 'crux-2026-01'), 500_000);
  return { crux: latest, cruxBefore: before, lasting: await readLasting(dataDir), phishing };
}

/** Lines of `https://www.example.com`, in no order within a file. */
async function readCrux(dir: string, highest: number): Promise<string[]> {
  const sites: string[] = [];
  for (const rank of CRUX_RANKS.filter((each) => each <= highest)) {
    const text = await Bun.file(join(dir, `${rank}.txt`)).text();
    sites.push(...text.split('\n').flatMap((line) => siteIn(line.replace(/^https?:\/\/|:\d+$/g, ''))));
  }
  return sites;
}

async function readLasting(dataDir: string): Promise<string[]> {
  // Majestic Million: rank and domain, separated by a tab.
  const majestic = await Bun.file(join(dataDir, 'majestic-15k.tsv')).text();
  const services: readonly { readonly domain: string; readonly additional: readonly string[] }[] = await Bun.file(
    join(dataDir, 'facts/twofactorauth_brands.json'),
  ).json();
  const banks: { readonly list: readonly string[] } = await Bun.file(
    join(dataDir, 'facts/misp_bank-website.json'),
  ).json();
  const unranked = [
    ...services.flatMap(({ domain, additional }) => [domain, ...additional]),
    ...banks.list.map((name) => name.replace(/^\./, '')),
  ];
  return [...majestic.split('\n').map((line) => line.split('\t')[1] ?? ''), ...unranked].flatMap(siteIn);
}

/** Returns the site of a name; empty if it belongs to a platform's user or cannot be in the table. */
function siteIn(name: string): string[] {
  const host = parseHost(name.trim());
  if (host?.kind !== 'name' || host.suffix === '' || host.registrable !== host.site) return [];
  return NAME.test(host.site) ? [host.site] : [];
}

/**
 * Returns the text of `popular-sites.txt`: lines of `name class` in byte order, after the header. A site that is only
 * in the Chrome UX Report must also be in that of half a year before, and have no phishing row.
 */
export function derivePopularSites({ crux, cruxBefore, lasting, phishing }: PopularityLists): string {
  const known = new Set(lasting);
  const before = new Set(cruxBefore);
  const classes = new Map([...known].map((site, index) => [site, index < 1000 ? 3 : index < 10_000 ? 4 : 5]));
  for (const site of crux) if (!known.has(site) && before.has(site) && !phishing.has(site)) classes.set(site, 5);
  const lines = [...classes].map(([site, popularity]) => `${site} ${popularity}\n`);
  return HEADER + lines.sort().join('');
}
