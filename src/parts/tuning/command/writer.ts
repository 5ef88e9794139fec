import type { ChangedCheck, Rescored } from '#src/parts/tuning/rescore/rescore.ts';
import type { RescoredCheck } from '#src/parts/tuning/rescore/rescore-check.ts';

/** Writes re-scored checks as a stream. */
export interface RescoreWriter {
  /** Returns the output of a changed check. */
  next(changed: ChangedCheck<RescoredCheck>): string;
  /** Returns the end of the output. `by` names the model that scored. */
  end(rescored: Rescored, by: string): string;
}
