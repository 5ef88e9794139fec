import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '../string-enum.ts';

/** Ways in which requests come to the gate. */
const GATE_WAYS = ['icap', 'milter'] as const;

export type GateWay = (typeof GATE_WAYS)[number];

/** Rules by which the gate holds a request. */
const HOLDING_RULES = ['list-blocks', 'deep', 'spelling'] as const;

/** Mark of a request that the gate held, or would have held. */
export const GateMarkSchema = Type.Object(
  {
    way: stringEnum<GateWay>(GATE_WAYS, { description: 'How the request came' }),
    rule: stringEnum<(typeof HOLDING_RULES)[number]>(HOLDING_RULES, { description: 'Rule that decided' }),
    held: Type.Boolean({ description: 'False if it passed: `gate_mode` is `watch`, or `milter_on_block` is `mark`' }),
    user: Type.Optional(Type.String({ description: 'Name that the proxy stated; only with `gate_log_users`' })),
    queue_id: Type.Optional(Type.String({ description: 'Number of the mail at the mail server' })),
  },
  { $id: 'GateMark', description: 'Why the gate held a request; only in the private log' },
);

export type GateMark = Static<typeof GateMarkSchema>;
