import type { Failure } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';

/** Why a probe did not run. `circuit_open`: the network failed repeatedly, and is retried after a pause. */
export type SkipReason = 'not_applicable' | 'disabled' | 'circuit_open';

/** The outcome of a probe. Not observed is neither absent nor benign, so the three states stay separate. */
export type Observation<T> =
  | { readonly state: 'observed'; readonly value: T; readonly elapsedMs: number }
  | { readonly state: 'failed'; readonly failure: Failure; readonly elapsedMs: number }
  | { readonly state: 'skipped'; readonly reason: SkipReason };

/**
 * Observes a target. It does I/O and never classifies. It returns a JSON value or throws: a `FailureError` if the
 * network fails, anything else is a bug. `run.ts` turns both into data.
 *
 * @typeParam Find the finding, with dates instead of ages, because it may be cached for a day.
 * @typeParam Context the dependencies that `run.ts` passes: the egress client, budgets, settings.
 */
export interface Probe<Find, Context> {
  /** False if the probe does not apply to the target, such as the registration of an IP address. */
  applies(target: Target): boolean;
  observe(target: Target, context: Context, signal: AbortSignal): Promise<Find>;
}
