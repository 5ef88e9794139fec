import { type Static, Type } from '@sinclair/typebox';
import { DecidedBySchema, ViaSchema } from '#src/checks/record/decided-by.ts';
import { GateModeSchema } from '#src/checks/record/gate-test.ts';

const moment = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: `${description}, ISO 8601 UTC` });

const HeldHostSchema = Type.Object(
  {
    host: Type.String({ description: 'The host' }),
    records: Type.Integer({ minimum: 1, description: 'Records: at most one per client, URL and hour' }),
    clients: Type.Integer({ minimum: 1, description: 'Clients; those of unknown address count as one' }),
    held: Type.Integer({ minimum: 0, description: 'Records of held requests; the others passed while watching' }),
    rules: Type.Array(Type.String(), { description: 'Rules that decided' }),
    reasons: Type.Array(Type.String(), { description: 'Codes of the strongest reasons, at most 3' }),
    via: ViaSchema,
    decided_by: DecidedBySchema,
    last: Type.String({ format: 'date-time', description: 'Latest record; `via` and `decided_by` are its own' }),
  },
  { $id: 'HeldHost', description: 'What the gate held, or would have held, of one host' },
);

export const GateReportSchema = Type.Object(
  {
    mode: Type.Union([GateModeSchema, Type.Null()], {
      description: 'Value of `gate_mode`; null without a gate',
    }),
    watching_since: moment('When the gate began to watch; null if it never did'),
    since: moment('Earliest time of the report; null for all records'),
    passed: Type.Union(
      [
        Type.Object(
          {
            requests: Type.Integer({ minimum: 0, description: 'Requests' }),
            unexamined: Type.Integer({ minimum: 0, description: 'Those that passed unexamined' }),
          },
          { $id: 'GatePassed', description: 'Requests of this node' },
        ),
        Type.Null(),
      ],
      { description: 'Requests that this node answered within the last 24 hours; null without a gate' },
    ),
    hosts: Type.Array(HeldHostSchema, { description: 'Host of the latest record first' }),
  },
  { $id: 'GateReport', description: 'What the gate of a web proxy held, or would have held' },
);

/** Requests that the gate held or would have held. */
export type GateState = Static<typeof GateReportSchema>;

/** A host that the gate held, or would have held. */
export type HeldRow = GateState['hosts'][number];
