/** Rank of a classified link. */
export interface SiteRank {
  /** Its site. */
  readonly site: string;
  /** The lower, the more dangerous. */
  readonly rank: number;
  /** Order of links with the same rank, the highest first; -1 if unknown. */
  readonly probability: number;
}

/** Links of one site, the most dangerous first. */
export interface SiteGroup<T> {
  readonly site: string;
  readonly links: readonly T[];
}

/** Groups links by site, the most dangerous group first; equal ones keep their order. */
export function groupBySite<T>(links: readonly T[], rankOf: (link: T) => SiteRank): SiteGroup<T>[] {
  const ranked = links.map((link) => ({ link, ...rankOf(link) }));
  // A map keeps insertion order, so that the group of the worst link comes first.
  const sorted = ranked.toSorted((a, b) => a.rank - b.rank || b.probability - a.probability);
  return Array.from(
    Map.groupBy(sorted, ({ site }) => site),
    ([site, own]) => ({ site, links: own.map(({ link }) => link) }),
  );
}
