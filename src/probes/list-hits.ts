/** An entry of one of the operator's lists that covers the target. */
export interface ListHit {
  /** The list's file name, without folders. */
  readonly list: string;
  readonly entry: string;
  /** Counted from 1. */
  readonly line: number;
}

/** On which of the operator's lists a target is. */
export interface ListHits {
  readonly blocked: ListHit | null;
  readonly allowed: ListHit | null;
}
