import { type Static, Type } from '@sinclair/typebox';
import { DecisionSchema } from './check-result.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const RescoredCheckSchema = Type.Object(
  {
    request_id: Type.String({ format: 'uuid', description: 'As the history has it' }),
    url: Type.String({ description: 'As the history has it' }),
    timestamp: Type.String({ format: 'date-time', description: 'When the check began, ISO 8601 UTC' }),
    was: DecisionSchema,
    now: DecisionSchema,
  },
  { $id: 'RescoredCheck', description: 'A public check with a different decision today' },
);

const RescoreChangeSchema = Type.Object(
  { was: DecisionSchema, now: DecisionSchema, checks: count('Public checks with this change') },
  { $id: 'RescoreChange', description: 'A decision that is different today' },
);

/** Result of re-scoring the public checks at night. */
export const RescoreOutcomeSchema = Type.Object(
  {
    finished_at: Type.String({ format: 'date-time', description: 'When that was, ISO 8601 UTC' }),
    judged: count('Re-scored public checks'),
    changes: Type.Array(RescoreChangeSchema, { description: 'Number of changed decisions; only those above 0' }),
    graver: Type.Array(RescoredCheckSchema, {
      description: 'The latest that were allowed and would not be today, at most ten',
    }),
  },
  {
    $id: 'RescoreOutcome',
    description: 'Public checks, re-scored by the model, lists and brands of the last night',
  },
);

/** A {@link RescoreOutcomeSchema}. */
export type RescoreOutcome = Static<typeof RescoreOutcomeSchema>;

/** The stored outcome, without URLs, which are looked up in the log while it has them. */
export const StoredOutcomeSchema = Type.Object({
  finished_at: Type.String(),
  judged: count('As above'),
  changes: RescoreOutcomeSchema.properties.changes,
  graver: Type.Array(Type.Object({ request_id: Type.String(), was: DecisionSchema, now: DecisionSchema })),
});

/** A {@link StoredOutcomeSchema}. */
export type StoredOutcome = Static<typeof StoredOutcomeSchema>;
