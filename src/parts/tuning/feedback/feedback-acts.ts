import { Type } from '@sinclair/typebox';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { ActPlace, OperatorAct, PreviewedAct } from '#src/admin/audit/act.ts';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { MASK } from '#src/checks/record/redact/mask.ts';
import type { FeedbackReview, FeedbackRow, FeedbackState } from '#src/checks/store/feedback/feedback-queue.ts';
import { FEEDBACK_STATES } from '#src/checks/store/feedback/feedback-schema.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { member, textMember, timeOrNull } from '#src/core/base/text/json-shape.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import type { PreparedLists } from '#src/parts/lists/change-lists.ts';
import type { PreviewedVerdicts } from '#src/parts/lists/preview-lists.ts';

/** Input of the acts on feedback in a request. */
export const FeedbackChangeSchema = Type.Object(
  {
    state: member(
      stringEnum<FeedbackState>(FEEDBACK_STATES, {
        description: '`accepted` adds an entry, `rejected` does not, `waiting` takes either back',
      }),
      'must be waiting, accepted or rejected',
    ),
    entry: Type.Optional(textMember('Entry to add; by default the reported URL and what is below it')),
    expires: Type.Optional(timeOrNull('When the entry expires; in 90 days by default, null for never')),
  },
  { $id: 'FeedbackChange', additionalProperties: false, description: 'What becomes of a report' },
);

/** Owner of the lists of feedback. */
const ORIGIN = 'feedback';

/** List per verdict, because a list either blocks or allows. */
const LISTS = {
  malicious: { list: 'feedback', action: 'block' },
  benign: { list: 'feedback-allow', action: 'allow' },
} as const;

/**
 * Returns the list entry that covers a reported URL: its host and path with everything below. A masked path is cut before the
 * mask. Null if no entry is possible.
 */
export function entryOf(url: string): string | null {
  const target = parseTarget(url);
  if (isTargetProblem(target)) return null;
  const { requestUrl, path } = target;
  const host = requestUrl.slice(0, requestUrl.indexOf('/', requestUrl.indexOf('//') + 2));
  const masked = path.indexOf(MASK);
  return `${host}${masked === -1 ? path : path.slice(0, path.lastIndexOf('/', masked) + 1)}`;
}

/** An installation with its queue of feedback. */
export interface ReviewPlace<Review = Pick<FeedbackReview, 'settle' | 'reopen'>> extends ActPlace {
  /** Works with the queue; null without a log. */
  reviewing<T>(work: (review: Review | null) => Promise<T>): Promise<T>;
}

/** Feedback, and the entry by which it is accepted. */
export interface Acceptance {
  readonly row: FeedbackRow;
  /** The entry; null for the reported URL and what is below it. */
  readonly entry: string | null;
  /** Expiry in milliseconds since the Unix epoch; null for never. */
  readonly expiresAtMs: number | null;
}

/** An entry that accepts feedback, with the lists that it results in. */
interface AcceptanceDraft {
  readonly row: FeedbackRow;
  readonly list: string;
  readonly entry: string;
  readonly lists: PreparedLists;
}

const OF_FEEDBACK = { scope: 'feedback', input: FeedbackChangeSchema } as const;

type FeedbackAct<Input, Draft, Done> = OperatorAct<Input, Draft, Done, ReviewPlace>;

/**
 * Adds a list entry for feedback, and then marks the feedback as accepted. After an interruption between the two it can be
 * accepted again.
 */
export const ACCEPT_FEEDBACK = {
  name: 'feedback.accept',
  ...OF_FEEDBACK,
  files: ['lists'],
  async prepare({ row, entry: wanted, expiresAtMs }, { dataDir }) {
    const { prepareStoredLists } = await import('#src/parts/lists/thread/work-on-lists.ts');
    const entry = wanted ?? entryOf(row.url);
    if (entry === null) throw refused('no entry can cover that URL: pass --entry');
    const { list, action } = LISTS[row.verdict];
    const item = { source: ORIGIN, comment: `feedback ${row.id}`, line: row.id, isException: false };
    const items = [{ ...item, value: entry, expiresAtMs }];
    const change = { what: 'add', list, action, items, source: null, expiresAtMs } as const;
    return { row, list, entry, lists: await prepareStoredLists(dataDir, ORIGIN, [change]) };
  },
  audit: ({ row, entry }) => ({ subject: String(row.id), detail: { entry } }),
  async preview({ lists }, view) {
    const { previewChange } = await import('#src/parts/lists/preview-lists.ts');
    return await previewChange(lists, view);
  },
  async commit({ row, list, entry, lists }, { dataDir, reviewing }) {
    const held = lists.changed.flatMap((one) => one.quarantinedEntries).find(({ line }) => line === row.id);
    if (held) {
      const why = held.why.replaceAll('_', ' ');
      throw refused(
        `${held.entry} is held back (${why}), because it covers the sites of many: pass a narrower --entry`,
      );
    }
    await lists.commit();
    if (!(await reviewing(async (review) => await review?.settle(row.id, 'accepted', entry)))) {
      await removeEntry(dataDir, list, entry);
      throw new OperationError('changed_meanwhile', [
        'the feedback was settled meanwhile: its entry was removed again',
      ]);
    }
    return { list, entry };
  },
  discard: ({ lists }) => lists.discard(),
} as const satisfies FeedbackAct<Acceptance, AcceptanceDraft, { list: string; entry: string }> &
  PreviewedAct<AcceptanceDraft, PreviewedVerdicts, PreviewView>;

/** Rejects feedback. Returns false if it was settled meanwhile. */
export const REJECT_FEEDBACK: FeedbackAct<number, number, boolean> = {
  name: 'feedback.reject',
  ...OF_FEEDBACK,
  files: [],
  prepare: async (id) => id,
  audit: (id) => ({ subject: String(id) }),
  commit: (id, { reviewing }) => reviewing(async (review) => (await review?.settle(id, 'rejected', null)) ?? false),
};

/**
 * Takes back what was decided about feedback: its entry is removed, unless it is gone already, and it waits again. Returns
 * false if it waits already.
 */
export const REOPEN_FEEDBACK: FeedbackAct<FeedbackRow, FeedbackRow, boolean> = {
  name: 'feedback.reopen',
  ...OF_FEEDBACK,
  files: ['lists'],
  prepare: async (row) => row,
  audit: ({ id }) => ({ subject: String(id) }),
  async commit({ id, entry, verdict }, { dataDir, reviewing }) {
    if (entry !== null) await removeEntry(dataDir, LISTS[verdict].list, entry);
    return await reviewing(async (review) => (await review?.reopen(id)) ?? false);
  },
};

/** Removes an entry of a list, unless it is gone already. */
async function removeEntry(dataDir: string, list: string, entry: string): Promise<void> {
  const { lists } = await readListState(dataDir);
  if (!lists.some(({ name }) => name === list)) return;
  const { prepareStoredLists } = await import('#src/parts/lists/thread/work-on-lists.ts');
  const change = { what: 'remove', list, entries: { named: [entry] } } as const;
  const prepared = await prepareStoredLists(dataDir, ORIGIN, [change]).catch((error) => {
    if (error instanceof OperationError && error.errorCode === 'entry_not_found') return null;
    throw error;
  });
  await prepared?.commit();
}

const refused = (problem: string) =>
  new OperationError('feedback_refused', [problem], { clientText: `nothing was changed: ${problem}` });
