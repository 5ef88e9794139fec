import { type Static, Type } from '@sinclair/typebox';
import { CoverageSchema, DecisionSchema, ShortReasonSchema } from './check-result.ts';
import { DecidedBySchema, ViaSchema } from './decided-by.ts';
import { DecisionCountsSchema, decisionCounts } from './stats.ts';

/** A check in the public history. */
export const HistoryItemSchema = Type.Object(
  {
    request_id: Type.String({ format: 'uuid', description: 'UUIDv7 of the check' }),
    url: Type.String({ description: 'Canonical URL; passwords and secret-looking values are `***`' }),
    malicious_probability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Probability that the URL is malicious',
    }),
    decision: DecisionSchema,
    coverage: Type.Union([CoverageSchema, Type.Null()], {
      description: 'How much of the page the verdict is based on; null for a check logged by version 0.1',
    }),
    caution: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'True for an `allow` with a signal that a person should see; null for a check logged by version 0.1',
    }),
    via: ViaSchema,
    decided_by: DecidedBySchema,
    reasons: Type.Array(ShortReasonSchema, {
      maxItems: 3,
      description:
        'The strongest reasons, with weights to one decimal; empty for a check that an earlier version logged',
    }),
    model_version: Type.String({ description: 'Version of the models that classified it; empty if unknown' }),
    timestamp: Type.String({ format: 'date-time', description: 'When the check began, ISO 8601 UTC' }),
  },
  { $id: 'HistoryItem', description: 'One line of the public scan history' },
);

/** A page of the public scan history. */
export const HistoryPageSchema = Type.Object(
  {
    items: Type.Array(HistoryItemSchema, {
      description: 'Checks, latest first; with `after`, in the order of logging',
    }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Cursor of the next page; null at the end. With `after`, the cursor to continue from, never null',
    }),
    searched_back_to: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Only for a search with `q` that stopped at its limit: start of the last scanned check, ISO 8601 UTC. `next_cursor` continues from there',
      }),
    ),
  },
  { $id: 'HistoryPage', description: 'A page of the public scan history' },
);

export type HistoryItem = Static<typeof HistoryItemSchema>;
/**
 * Returns a page for readers without a key. That a list decided is in the answer to each check; the names of lists and their
 * entries in a row would let anyone read the operator's lists, one after the other.
 */
export function withoutLists(page: HistoryPage): HistoryPage {
  const items = page.items.map((item) => ({
    ...item,
    decided_by: item.decided_by && { ...item.decided_by, list: null, entry: null },
  }));
  return { ...page, items };
}

export type HistoryPage = Static<typeof HistoryPageSchema>;

const moment = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: `${description}, ISO 8601 UTC` });

/** Counts of matching public checks. */
export const HistorySummarySchema = Type.Object(
  {
    checks: Type.Object(decisionCounts, { $id: 'Decisions', description: 'Matching checks by decision' }),
    first_at: moment('Start of the oldest match; null if none matches'),
    last_at: moment('Start of the latest match; null if none matches'),
    days: Type.Array(DecisionCountsSchema, { description: 'Days (UTC) with such checks, oldest first' }),
    counted_back_to: moment('Start of the counted range if the limit was reached; null if all were counted'),
  },
  { $id: 'HistorySummary', description: 'Counts of matching public checks' },
);

export type HistorySummary = Static<typeof HistorySummarySchema>;
