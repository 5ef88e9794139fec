/** Lists of names that many people visit. */
export interface PopularityLists {
  /** The most popular name first. */
  readonly ranked: readonly string[];
  readonly unranked: readonly string[];
}

const HEADER = `# lurecheck popular sites 1
# source: Tranco top 100k (tranco-list.eu, 2026-08-10) as 3, 4, 5: among the first 1000, 10000, 100000;
# source: Cloudflare Radar top 100k (2026-08-10, through MISP warninglists) as 6 where Tranco lacks the name
# licence: names and rank classes only; see the publishers' terms (Cloudflare Radar: CC BY-NC 4.0)
`;

const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** The text of `popular-sites.txt`: lines of `name class`, in byte order, behind its header. */
export function derivePopularSites({ ranked, unranked }: PopularityLists): string {
  const classes = new Map<string, number>();
  for (const [index, name] of ranked.entries()) {
    if (NAME.test(name) && !classes.has(name)) classes.set(name, index < 1000 ? 3 : index < 10_000 ? 4 : 5);
  }
  for (const name of unranked) if (NAME.test(name) && !classes.has(name)) classes.set(name, 6);
  const lines = [...classes].map(([name, popularity]) => `${name} ${popularity}\n`);
  return HEADER + lines.sort().join('');
}
