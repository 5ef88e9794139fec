/** What is known of a link that was judged. */
export interface SiteRank {
  /** Whose it is. */
  readonly site: string;
  /** The lower, the more dangerous. */
  readonly rank: number;
  /** Of two links with one rank, the more probable phishing is the worse; -1 where it is not known. */
  readonly probability: number;
}

/** The links of one site, the most dangerous first. */
export interface SiteGroup<T> {
  readonly site: string;
  readonly links: readonly T[];
}

/** Groups links by site, the most dangerous group first; equal ones stay in the given order. */
export function groupBySite<T>(links: readonly T[], judge: (link: T) => SiteRank): SiteGroup<T>[] {
  const judged = links.map((link) => ({ link, ...judge(link) }));
  // A map keeps the order in which its keys come, so that the group of the worst link comes first.
  const sorted = judged.toSorted((a, b) => a.rank - b.rank || b.probability - a.probability);
  return Array.from(
    Map.groupBy(sorted, ({ site }) => site),
    ([site, own]) => ({ site, links: own.map(({ link }) => link) }),
  );
}
