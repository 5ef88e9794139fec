import type { ArgsOf, ReasonArgs, ReasonCode, ReasonWay } from '#src/engine/reasons/reason.ts';

/**
 * A named fact about a target, without a weight, which the fusion model holds. Absence of evidence is not a feature.
 */
export interface Feature<Name extends string = string> {
  /** `<analyzer>.<snake_case>` */
  readonly name: Name;
  /** Strength, in [0, 1]. */
  readonly value: number;
  /** Arguments of the sentence in the catalogue. */
  readonly args: ReasonArgs;
  /** Absent for a fact about the checked URL. */
  readonly ways?: readonly ReasonWay[];
}

/** Creates a feature. */
export function feature<Code extends ReasonCode>(name: Code, value: number, args: ArgsOf<Code>): Feature<Code> {
  return { name, value, args };
}

/** A summand of a trained model, already in log-odds (nats). Fusion scales all of them by one fitted factor. */
export interface Term {
  readonly code: string;
  readonly args: ReasonArgs;
  readonly ways?: readonly ReasonWay[];
  readonly logOdds: number;
}

/** Findings of one analyzer. */
export interface Evidence<Name extends string = string> {
  readonly features: readonly Feature<Name>[];
  readonly terms: readonly Term[];
}

/** Returns the evidence as that of another URL, which is reached by `way`. */
export function evidenceOn({ features, terms }: Evidence, way: ReasonWay): Evidence {
  const on = <Found extends Feature | Term>(one: Found): Found => ({ ...one, ways: [way, ...(one.ways ?? [])] });
  return { features: features.map(on), terms: terms.map(on) };
}

/**
 * A pure classifier with a score of its own under the name of its component. `features` lists all names that it can
 * emit, so that a missing weight is detected at start. Returns null if there was nothing to classify.
 */
export interface Analyzer<Component extends string, Subject, Name extends ReasonCode = ReasonCode> {
  readonly component: Component;
  readonly features: readonly Name[];
  analyze(subject: Subject): Evidence<Name> | null;
}
