import { prepareStoredLists } from '#src/admin/lists/stored-lists.ts';
import type { FeedbackReview, FeedbackRow } from '#src/checks/store/feedback/feedback-queue.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { entryOf } from './entry-of.ts';

/** Owner of the lists of feedback. */
export const ORIGIN = 'feedback';

/** List per verdict, because a list either blocks or allows. */
const LISTS = {
  malicious: { list: 'feedback', action: 'block' },
  benign: { list: 'feedback-allow', action: 'allow' },
} as const;

/** Result of accepting feedback. */
export type Accepted =
  | { readonly list: string; readonly entry: string }
  /** Why nothing was changed, as the end of a sentence. */
  | { readonly problem: string };

/** Options of accepting feedback. */
export interface AcceptOptions {
  /** The entry; null for the reported URL. */
  readonly entry: string | null;
  /** Expiry in milliseconds since the Unix epoch; null for never. */
  readonly expiresAtMs: number | null;
}

/**
 * Adds a list entry for feedback, which a running service reloads within two seconds, and then marks the feedback as accepted.
 * After an interruption between the two it can be accepted again.
 *
 * @throws OperationError if the lists cannot be changed
 */
export async function acceptFeedback(
  review: FeedbackReview,
  dataDir: string,
  given: FeedbackRow,
  { entry: wanted, expiresAtMs }: AcceptOptions,
): Promise<Accepted> {
  const value = wanted ?? entryOf(given.url);
  if (value === null) return { problem: 'no entry can cover that URL: pass --entry' };
  const change = acceptanceOf(given, value, expiresAtMs);
  const { list } = change;
  const prepared = await prepareStoredLists(dataDir, ORIGIN, [change]);
  const held = prepared.changed
    .flatMap(({ quarantinedEntries }) => quarantinedEntries)
    .find(({ line }) => line === given.id);
  if (held) {
    await prepared.discard();
    const why = held.why.replaceAll('_', ' ');
    return {
      problem: `${held.entry} is held back (${why}), because it covers the sites of many: pass a narrower --entry`,
    };
  }
  await prepared.commit();
  await review.settle(given.id, 'accepted', value);
  return { list, entry: value };
}

/** Returns the change of the lists by which feedback is accepted. */
export function acceptanceOf({ id, verdict }: FeedbackRow, entry: string, expiresAtMs: number | null) {
  const comment = `feedback ${id}`;
  const item = { value: entry, expiresAtMs, source: ORIGIN, comment, line: id, isException: false };
  const { list, action } = LISTS[verdict];
  return { what: 'add', list, action, items: [item], source: null, expiresAtMs } as const;
}

/**
 * Takes back what was decided about feedback: its entry is removed, unless it is gone already, and it waits again. Returns
 * false if it waits already.
 *
 * @throws OperationError if the lists cannot be changed
 */
export async function reopenFeedback(review: FeedbackReview, dataDir: string, given: FeedbackRow): Promise<boolean> {
  const { list } = LISTS[given.verdict];
  const { entry } = given;
  const { lists } = await readListState(dataDir);
  if (entry !== null && lists.some(({ name }) => name === list)) {
    const prepared = await prepareStoredLists(dataDir, ORIGIN, [
      { what: 'remove', list, entries: { named: [entry] } },
    ]).catch((error) => {
      if (error instanceof OperationError && error.errorCode === 'entry_not_found') return null;
      throw error;
    });
    await prepared?.commit();
  }
  return await review.reopen(given.id);
}
