import type { ListFileItem } from '#src/network/lists/formats/list-format.ts';
import type { FeedbackQueue, KeptFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { prepareKeptLists } from '#src/admin/lists/stored-lists.ts';
import { entryOf } from './entry-of.ts';

/** Whose lists those of feedback are, which nobody else changes. */
const ORIGIN = 'feedback';

/** The list that feedback goes to, by what it says: a list either blocks or allows. */
const LISTS = {
  malicious: { list: 'feedback', action: 'block' },
  benign: { list: 'feedback-allow', action: 'allow' },
} as const;

/** What became of feedback that was to be accepted. */
export type Accepted =
  | { readonly list: string; readonly entry: string }
  /** Why nothing was changed, as the end of a sentence. */
  | { readonly problem: string };

/** How an entry is to be made of feedback. */
export interface AcceptOptions {
  /** What the entry is to be; null for what feedback is about. */
  readonly entry: string | null;
  /** When it ceases to hold, in milliseconds since the Unix epoch; null: never. */
  readonly expiresAtMs: number | null;
}

/**
 * Makes an entry of a list of feedback, which a service that runs takes up within two seconds, and then settles the feedback:
 * where only the first comes to its end, it can be accepted again.
 *
 * @throws SettingsError where the lists cannot be changed
 */
export async function acceptFeedback(
  queue: FeedbackQueue,
  dataDir: string,
  given: KeptFeedback,
  { entry: wanted, expiresAtMs }: AcceptOptions,
): Promise<Accepted> {
  const value = wanted ?? entryOf(given.url);
  if (value === null) return { problem: 'no entry covers that URL: name one' };
  const item = {
    value,
    expiresAtMs,
    source: ORIGIN,
    comment: `feedback ${given.id}`,
    line: given.id,
    isException: false,
  };
  const { list, action } = LISTS[given.verdict];
  const change = { what: 'add', list, action, items: once([item]), source: null, expiresAtMs } as const;
  const prepared = await prepareKeptLists(dataDir, ORIGIN, [change]);
  const held = prepared.changed.flatMap(({ heldBack }) => heldBack).find(({ line }) => line === given.id);
  if (held) {
    await prepared.discard();
    const why = held.why.replaceAll('_', ' ');
    return { problem: `${held.entry} is held back (${why}), as it covers the sites of many: name a narrower one` };
  }
  await prepared.commit();
  queue.settle(given.id, 'accepted', value);
  return { list, entry: value };
}

async function* once(items: readonly ListFileItem[]): AsyncGenerator<readonly ListFileItem[]> {
  yield items;
}
