import { type Static, Type } from '@sinclair/typebox';

const NodeSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the node' }),
    version: Type.String({ description: 'Version of its program' }),
    model_version: Type.String({ description: 'Version of its models; empty until they were loaded' }),
    lists_version: Type.String({ description: "Version of the operator's lists; empty if there are none" }),
    started_at: Type.String({ format: 'date-time', description: 'When it was started' }),
    seen_at: Type.String({ format: 'date-time', description: 'Its latest heartbeat' }),
    ahead_seconds: Type.Number({ description: 'Clock offset against the database' }),
    waiting: Type.Integer({ minimum: 0, description: 'Checks in its spool' }),
    set_aside: Type.Integer({ minimum: 0, description: 'Answered checks that a database refused' }),
    prints: Type.Object(
      {},
      {
        $id: 'NodePrints',
        additionalProperties: Type.String(),
        description: 'Fingerprints of what should be the same, by its name',
      },
    ),
    is_alive: Type.Boolean({ description: 'True if it sent a heartbeat within a minute' }),
    differs: Type.Array(Type.String(), { description: 'In what it differs from most nodes' }),
  },
  { $id: 'FleetNode', description: 'A node that shares the databases' },
);

export const NodesSchema = Type.Object(
  { items: Type.Array(NodeSchema, { description: 'By name; empty without a database' }) },
  { $id: 'FleetNodes', description: 'The nodes that share the databases' },
);

/** A node of the fleet. */
export type NodeRow = Static<typeof NodeSchema>;
