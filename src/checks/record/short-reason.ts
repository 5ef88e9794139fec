import { Type } from '@sinclair/typebox';

/** Schema of a reason without words. */
export const ShortReasonSchema = Type.Object(
  {
    code: Type.String({ description: 'Stable name of the reason' }),
    weight: Type.Number({ description: 'Log-odds (nats) that it adds, to two decimals' }),
  },
  { $id: 'ShortReason', description: 'A reason without words' },
);
