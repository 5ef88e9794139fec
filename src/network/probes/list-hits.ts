/** An entry of an operator's list that covers the target. */
export interface ListHit {
  /** Name of the list; for one that a setting names, its file name without folders. */
  readonly list: string;
  readonly entry: string;
  /** Counted from 1. */
  readonly line: number;
}

/** An entry of a stored list that covers the target. */
export interface StoredListHit extends ListHit {
  readonly action: 'block' | 'allow';
  /** Weight in log-odds (nats); null if the list decides alone. */
  readonly weight: number | null;
  /** Time at which the entry was added, in milliseconds since the Unix epoch. */
  readonly addedAtMs: number;
  /** Owner of the list; absent in observations of earlier versions. */
  readonly owner?: string;
  /** Larger for entries that cover fewer URLs; comparable between lists. */
  readonly narrowness: number;
}

/** The hits of a target on the operator's lists. */
export interface ListHits {
  readonly blocked: ListHit | null;
  readonly allowed: ListHit | null;
  /** The narrowest entry of each stored list; absent if there is none. */
  readonly kept?: readonly StoredListHit[];
  /** The hits of the URLs that the target wraps; absent if there is none. */
  readonly inside?: readonly HopListHits[];
}

/** The list hits of a URL to which the target leads, or which it wraps. */
export interface HopListHits {
  readonly url: string;
  readonly hits: ListHits;
}
