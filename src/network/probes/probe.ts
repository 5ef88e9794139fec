import type { Failure } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';

/** Why a probe did not even try. `circuit_open`: look-ups of its kind keep failing, so it rests for a while. */
export type SkipReason = 'not_applicable' | 'disabled' | 'circuit_open';

/** What came of looking. Unobserved is neither absent nor benign, so the three never collapse into one. */
export type Observation<T> =
  | { readonly state: 'observed'; readonly value: T; readonly elapsedMs: number }
  | { readonly state: 'failed'; readonly failure: Failure; readonly elapsedMs: number }
  | { readonly state: 'skipped'; readonly reason: SkipReason };

/**
 * One way of looking at a target. It does I/O and never judges. It answers with a JSON value or throws: a
 * `FailureError` where the world failed, anything else where this program has a fault. `run.ts` turns both into data.
 *
 * @typeParam Find what it brings back; dates and not ages, since it may be kept for a day.
 * @typeParam Context what `run.ts` hands to every probe: the network door, budgets, settings.
 */
export interface Probe<Find, Context> {
  /** False where the target gives this probe nothing to ask, such as the registration of an IP address. */
  applies(target: Target): boolean;
  observe(target: Target, context: Context, signal: AbortSignal): Promise<Find>;
}
