import { type Static, Type } from '@sinclair/typebox';
import { DecisionCountsSchema, decisionCounts } from './stats.ts';

const moment = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: `${description}, ISO 8601 UTC` });

/** How many public checks match, and when they were. */
export const HistorySummarySchema = Type.Object(
  {
    checks: Type.Object(decisionCounts, { $id: 'Decisions', description: 'Those that match, by their verdict' }),
    first_at: moment('When the oldest of them began; null where none matches'),
    last_at: moment('When the newest of them began; null where none matches'),
    days: Type.Array(DecisionCountsSchema, { description: 'Days (UTC) with such checks, the oldest first' }),
    counted_back_to: moment('What began before was not counted, for there is too much; null where all was'),
  },
  { $id: 'HistorySummary', description: 'How many public checks match, and when they were' },
);

export type HistorySummary = Static<typeof HistorySummarySchema>;
