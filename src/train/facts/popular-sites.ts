const HEADER = `# lurecheck popular sites 1
# source: Tranco top 100k (tranco-list.eu, 2026-08-10) as 3, 4, 5: among the first 1000, 10000, 100000
# licence: names and rank classes only; Tranco averages the ranks of CrUX, Farsight, Majestic, Cloudflare Radar and Cisco Umbrella (tranco-list.eu/methodology)
`;

const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/**
 * The text of `popular-sites.txt` for names in the order of their popularity: lines of `name class`, in byte order,
 * behind its header.
 */
export function derivePopularSites(ranked: readonly string[]): string {
  const classes = new Map<string, number>();
  for (const [index, name] of ranked.entries()) {
    if (NAME.test(name) && !classes.has(name)) classes.set(name, index < 1000 ? 3 : index < 10_000 ? 4 : 5);
  }
  const lines = [...classes].map(([name, popularity]) => `${name} ${popularity}\n`);
  return HEADER + lines.sort().join('');
}
