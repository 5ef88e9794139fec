import { isoTime } from '#src/core/base/clock.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { LogExtent, Mark } from './ledger.ts';

/** State in which a log's file was found. */
export type FoundAs = 'in_place' | 'removed' | 'emptied' | 'damaged';

/** Checks that a log should hold and does not. */
export interface Loss {
  /** `cut`: the same file with its end missing; `replaced`: another file. */
  readonly kind: 'cut' | 'replaced' | Exclude<FoundAs, 'in_place'>;
  /** Approximate number of checks; null if unknown. */
  readonly checks: number | null;
  /** Start times of the first and the last of them; null if unknown. */
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/** State of a log when it was opened, after it was recreated if it was removed, emptied or damaged. */
export interface Found {
  readonly extent: LogExtent;
  readonly foundAs: FoundAs;
  /** True if the latest expected check is where it should be. */
  readonly isAsExpected: boolean;
  /** Path of the quarantined file; null if there was none. */
  readonly movedTo: string | null;
}

/** Returns what is missing of the expected extent; null if nothing is. A log may extend further than expected. */
export function lossOf(expected: LogExtent | null, { extent, foundAs, isAsExpected, movedTo }: Found): Loss | null {
  const kind = foundAs === 'in_place' ? 'replaced' : foundAs;
  if (!expected?.newest) return movedTo === null ? null : { kind, checks: null, fromMs: null, untilMs: null };
  if (foundAs === 'in_place' && isAsExpected) return null;
  const { oldest, newest } = expected;
  if (foundAs === 'in_place' && extent.madeAtMs === expected.madeAtMs) return cutLoss(oldest, newest, extent.newest);
  return {
    kind,
    checks: oldest && newest.id - oldest.id + 1,
    fromMs: oldest?.atMs ?? null,
    untilMs: newest.atMs,
  };
}

/** An older copy that was continued may hold as many checks as expected, but others. */
function cutLoss(oldest: Mark | null, newest: Mark, last: Mark | null): Loss {
  const from = last ?? oldest;
  const checks = last ? newest.id - last.id : newest.id - (oldest ?? newest).id + 1;
  return { kind: 'cut', checks: checks > 0 ? checks : null, fromMs: from?.atMs ?? null, untilMs: newest.atMs };
}

const HAPPENED: Readonly<Record<Loss['kind'], string>> = {
  cut: 'ends too early: its write-ahead log was lost, or an older copy replaced it',
  replaced: 'was replaced by another file',
  removed: 'had been removed and was recreated',
  emptied: 'had been emptied and was recreated',
  damaged: 'was damaged',
};

/** Describes a loss for the operator. `file` is the log's name, `movedTo` the path of the quarantined file. */
export function describeLoss(file: string, loss: Loss, movedTo: string | null): string {
  // What is missing is known once the rest is copied back.
  const rest =
    movedTo === null ? missing(loss) : `It was set aside as ${movedTo}, and its readable checks are being copied back.`;
  return `${file} ${HAPPENED[loss.kind]}. ${rest}`;
}

/** Describes a loss for the public; for the private log not even its size and time. */
export function describeLossInPublic(visibility: Visibility, loss: Loss, movedTo: string | null): string {
  if (movedTo !== null) return `The ${visibility} log is being restored after damage.`;
  return visibility === 'public'
    ? `The public log is not complete. ${missing(loss)}`
    : 'The private log is not complete.';
}

function missing({ checks, fromMs, untilMs }: Loss): string {
  const span = fromMs === null || untilMs === null ? '' : ` from between ${isoTime(fromMs)} and ${isoTime(untilMs)}`;
  if (checks === null) return `An unknown number of checks${span} is missing.`;
  return checks === 1 ? `About 1 check${span} is missing.` : `About ${checks} checks${span} are missing.`;
}
