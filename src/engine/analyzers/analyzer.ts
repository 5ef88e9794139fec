/**
 * A named fact about a target, without a weight: the fusion model holds that. Presence of evidence is what is stated;
 * an analyzer that saw nothing emits nothing.
 */
export interface Feature<Name extends string = string> {
  /** `<analyzer>.<snake_case>` */
  readonly name: Name;
  /** How much of it there is, in [0, 1]. */
  readonly value: number;
  /** The fact as a sentence for a person, naming what was seen. */
  readonly message: string;
}

/** A summand of a trained model, already in log-odds (nats). Fusion scales all of them by one fitted factor. */
export interface Term {
  readonly code: string;
  readonly message: string;
  readonly logOdds: number;
}

/** What one analyzer found. */
export interface Evidence<Name extends string = string> {
  readonly features: readonly Feature<Name>[];
  readonly terms: readonly Term[];
}

/**
 * One pure way of judging, with a score of its own under the name of its component. `Subject` is what it needs to see;
 * `Name` the features it may emit, all listed in `features`, so that the start knows when the model lacks a weight.
 * Null: there was nothing to judge.
 */
export interface Analyzer<Component extends string, Subject, Name extends string = string> {
  readonly component: Component;
  readonly features: readonly Name[];
  analyze(subject: Subject): Evidence<Name> | null;
}
