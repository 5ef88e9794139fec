import { type Static, Type } from '@sinclair/typebox';
import { DecisionSchema } from './check-result.ts';

/** What the URL, the model and the lists say of a link now, beside a result of earlier. */
export const TodaysVerdictSchema = Type.Object(
  {
    malicious_probability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Probability that the URL is malicious, by the URL, the model and the lists alone',
    }),
    decision: DecisionSchema,
    caution: Type.Boolean({ description: 'True for an `allow` with a signal that a person should see' }),
    model_version: Type.String({ description: 'Version of the models' }),
    timestamp: Type.String({ format: 'date-time', description: 'When this was worked out, ISO 8601 UTC' }),
  },
  { $id: 'TodaysVerdict', description: 'What a service says of a URL now, without a visit' },
);

/** What {@link TodaysVerdictSchema} describes. */
export type TodaysVerdict = Static<typeof TodaysVerdictSchema>;
