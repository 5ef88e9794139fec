import { type Static, Type } from '@sinclair/typebox';
import { DecisionSchema } from './check-result.ts';

/** Current verdict on a URL from URL, model and lists, beside an earlier result. */
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
    timestamp: Type.String({ format: 'date-time', description: 'Time of this verdict, ISO 8601 UTC' }),
  },
  { $id: 'TodaysVerdict', description: 'Current verdict on a URL, without a visit' },
);

/** A {@link TodaysVerdictSchema}. */
export type TodaysVerdict = Static<typeof TodaysVerdictSchema>;
