import type { LogExtent, Mark } from './extent.ts';

/** In what state the file of a log was found. */
export type FoundAs = 'in_place' | 'removed' | 'emptied' | 'damaged';

/** What a log should hold, and does not. */
export interface Loss {
  /** `cut` is the same file with its end missing, `replaced` is another one. */
  readonly kind: 'cut' | 'replaced' | Exclude<FoundAs, 'in_place'>;
  /** About how many checks; null where nobody knows. */
  readonly checks: number | null;
  /** When the first and the last of them began; null where nobody knows. */
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/** How a log was found, where it was removed, emptied or damaged after it was begun anew. */
export interface Found {
  readonly extent: LogExtent;
  readonly foundAs: FoundAs;
  /** Whether the newest check that is expected is where it should be. */
  readonly isAsExpected: boolean;
  /** Where what could not be used lies; null where there was nothing. */
  readonly keptAs: string | null;
}

/** What of the expected extent is missing; null where nothing is. A log may well go further than is expected. */
export function lossOf(expected: LogExtent | null, { extent, foundAs, isAsExpected, keptAs }: Found): Loss | null {
  const kind = foundAs === 'in_place' ? 'replaced' : foundAs;
  if (!expected?.newest) return keptAs === null ? null : { kind, checks: null, fromMs: null, untilMs: null };
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

/** An older copy that was continued may hold as many checks as are expected, but others. */
function cutLoss(oldest: Mark | null, newest: Mark, last: Mark | null): Loss {
  const from = last ?? oldest;
  const checks = last ? newest.id - last.id : newest.id - (oldest ?? newest).id + 1;
  return { kind: 'cut', checks: checks > 0 ? checks : null, fromMs: from?.atMs ?? null, untilMs: newest.atMs };
}
