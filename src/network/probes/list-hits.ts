/** An entry of one of the operator's lists that covers the target. */
export interface ListHit {
  /** The list's name: that of its file, without folders, for one that the settings name. */
  readonly list: string;
  readonly entry: string;
  /** Counted from 1. */
  readonly line: number;
}

/** An entry of a list that is kept, which covers the target. */
export interface KeptHit extends ListHit {
  readonly action: 'block' | 'allow';
  /** What it adds or takes off, in log-odds (nats); null where the list decides by itself. */
  readonly weight: number | null;
  /** When the entry came to the list, in milliseconds since the Unix epoch. */
  readonly addedAtMs: number;
  /** The larger, the fewer URLs it covers; comparable among all lists. */
  readonly narrowness: number;
}

/** On which of the operator's lists a target is. */
export interface ListHits {
  readonly blocked: ListHit | null;
  readonly allowed: ListHit | null;
  /** Of each list that is kept, its narrowest entry; left out where none has one. */
  readonly kept?: readonly KeptHit[];
}

/** On which lists a URL is to which the checked one leads. */
export interface HopListHits {
  readonly url: string;
  readonly hits: ListHits;
}
