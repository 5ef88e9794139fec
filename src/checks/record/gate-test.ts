import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from './bounded-schema.ts';
import { DecisionSchema, ShortReasonSchema } from './check-result.ts';
import { DecidedBySchema } from './decided-by.ts';

/** Values of `gate_mode`. */
export const GateModeSchema = stringEnum(['watch', 'hold'], {
  $id: 'GateMode',
  description: '`hold`: links are held; `watch`: only recorded as what would be held',
});

/** Schema of {@link GateTest}. */
export const GateTestSchema = Type.Object(
  {
    url: Type.String({ description: 'The URL as the gate reads it' }),
    mode: GateModeSchema,
    rule: Type.String({ description: 'The rule that applies; see the manual, `drop-in`' }),
    would_hold: Type.Boolean({ description: 'True if the gate holds it with `gate_mode` `hold`' }),
    unexamined: Type.Boolean({ description: 'True if it passes, and nothing says that it is harmless' }),
    decision: Type.Union([DecisionSchema, Type.Null()], { description: 'The verdict; null if it was not needed' }),
    malicious_probability: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description: 'Probability by the spelling; null if it was not needed',
    }),
    gate_block: Type.Number({ minimum: 0, maximum: 1, description: 'Probability from which on the spelling holds' }),
    reasons: Type.Array(ShortReasonSchema, { description: 'The strongest reasons against it, at most 5' }),
    decided_by: DecidedBySchema,
  },
  { $id: 'GateTest', description: 'What the gate would say about a URL' },
);

/** The decision that the gate of a web proxy would take about a page. */
export type GateTest = Static<typeof GateTestSchema>;
