import type { ChangedVerdict, Rescored } from '#src/admin/rescore/rescore.ts';

/** Writes what was judged again, as it comes. */
export interface RescoreWriter {
  /** What a check that comes out otherwise adds to the output. */
  next(changed: ChangedVerdict): string;
  /** What closes the whole. `by` names the model that judged. */
  end(rescored: Rescored, by: string): string;
}
