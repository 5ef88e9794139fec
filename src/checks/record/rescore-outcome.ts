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
  { $id: 'RescoredCheck', description: 'A public check of which another thing would be said today' },
);

const RescoreChangeSchema = Type.Object(
  { was: DecisionSchema, now: DecisionSchema, checks: count('Public checks that change so') },
  { $id: 'RescoreChange', description: 'A decision that is another today' },
);

/** What it came to when the public checks were judged again by what was in force that night. */
export const RescoreOutcomeSchema = Type.Object(
  {
    finished_at: Type.String({ format: 'date-time', description: 'When that was, ISO 8601 UTC' }),
    judged: count('Public checks that were judged again'),
    changes: Type.Array(RescoreChangeSchema, { description: 'How many would come out otherwise; none that are 0' }),
    graver: Type.Array(RescoredCheckSchema, {
      description: 'The newest that were let through and would not be, at most ten',
    }),
  },
  {
    $id: 'RescoreOutcome',
    description: 'The public checks, judged again by the model, lists and brands of the last night',
  },
);

/** A {@link RescoreOutcomeSchema}. */
export type RescoreOutcome = Static<typeof RescoreOutcomeSchema>;

/** The same as it is kept, without a word of what was checked: that is looked up in the log as long as it is there. */
export const KeptOutcomeSchema = Type.Object({
  finished_at: Type.String(),
  judged: count('As above'),
  changes: RescoreOutcomeSchema.properties.changes,
  graver: Type.Array(Type.Object({ request_id: Type.String(), was: DecisionSchema, now: DecisionSchema })),
});

/** A {@link KeptOutcomeSchema}. */
export type KeptOutcome = Static<typeof KeptOutcomeSchema>;
