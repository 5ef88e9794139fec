import type { HistoryPage } from '#src/checks/record/history-page.ts';
import type { HistoryWalk, WalkedPage } from '#src/checks/store/scan-log.ts';
import type { Clock } from '#src/core/base/clock.ts';

/** Interval of polling for further checks: other nodes write to the log without notification. */
const LOOK_EVERY_MS = 1000;

/** Requests that may wait at the end of the history; the others are answered at once. */
const MAX_WAITING = 50;

/** Dependencies of a walk over the history. */
export interface WalkerParts {
  /** A page from a place on; throws BadCursorError. */
  readonly walk: (query: HistoryWalk) => Promise<WalkedPage>;
  /** Aborted once the service shuts down. */
  readonly stopping: AbortSignal;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** A request for a walk. */
export interface PatientWalk {
  readonly query: HistoryWalk;
  /** Maximum wait at the end for another check, in milliseconds. */
  readonly waitMs: number;
  /** Aborted when the client disconnects. */
  readonly left: AbortSignal;
}

/** Walks over the history, and waits at its end for what is logged next. */
export function createWalker({ walk, stopping, clock }: WalkerParts): (asked: PatientWalk) => Promise<HistoryPage> {
  let waiting = 0;

  /** Polls until there is a check. */
  async function waitFrom(first: WalkedPage, { query, waitMs, left }: PatientWalk): Promise<WalkedPage> {
    const endsAtMs = clock.monotonicMs() + waitMs;
    let page = first;
    for (;;) {
      const leftMs = endsAtMs - clock.monotonicMs();
      if (!isEmptyEnd(page) || leftMs <= 0 || stopping.aborted || left.aborted) return page;
      await Bun.sleep(Math.min(LOOK_EVERY_MS, leftMs));
      page = await walk({ ...query, after: page.next });
    }
  }

  return async (asked) => {
    let page = await walk(asked.query);
    if (isEmptyEnd(page) && waiting < MAX_WAITING) {
      waiting++;
      try {
        page = await waitFrom(page, asked);
      } finally {
        waiting--;
      }
    }
    return { items: page.items, next_cursor: page.next };
  };
}

function isEmptyEnd({ items, isEnd }: WalkedPage): boolean {
  return isEnd && items.length === 0;
}
