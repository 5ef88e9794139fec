import { type Static, Type } from '@sinclair/typebox';
import { RescoreOutcomeSchema } from './rescore-outcome.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A count for each verdict. */
export const decisionCounts = {
  allow: count('Checks decided `allow`'),
  warn: count('Checks decided `warn`'),
  block: count('Checks decided `block`'),
};

/** Checks of a period by their verdict. */
export const DecisionCountsSchema = Type.Object(
  {
    start: Type.String({ format: 'date-time', description: 'When the period begins, ISO 8601 UTC' }),
    ...decisionCounts,
  },
  { $id: 'DecisionCounts', description: 'Checks of a period by their verdict' },
);

const BucketSchema = Type.Object(
  {
    from: Type.Number({ description: 'Lower bound, included' }),
    until: Type.Number({ description: 'Upper bound, excluded but for the last bucket' }),
    checks: count('Checks in the bucket'),
  },
  { $id: 'Bucket', description: 'Checks between two bounds' },
);

const BlockedSchema = Type.Object(
  {
    name: Type.String({ description: 'The site or suffix' }),
    checks: count('Checks decided `block`'),
  },
  { $id: 'BlockedName', description: 'A name under which checks were blocked' },
);

const nullableSeconds = (description: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description });

const bound = (description: string) => Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description });

/** Bounds of a log. */
export const RetentionSchema = Type.Object(
  {
    days: bound('Days for which checks stay'),
    bytes: bound('Bytes that the log may take'),
    rows: bound('Checks that it may hold'),
  },
  { $id: 'Retention', description: 'Bounds of the public log, beyond which the oldest checks go; null sets none' },
);

const FleetSchema = Type.Object(
  {
    nodes: count('Nodes that were heard of within a minute'),
    versions: count('How many versions of the program they are'),
    models: count('How many models they judge by'),
    lists: count("How many states of the operator's lists they go by"),
  },
  { $id: 'Fleet', description: 'The nodes that share this log' },
);

/** What there is to say of nodes that share a log. */
export type Fleet = Static<typeof FleetSchema>;

/** The bounds of a log. */
export type RetentionBounds = Static<typeof RetentionSchema>;

/** What the public checks add up to. */
export const StatsSchema = Type.Object(
  {
    hours: Type.Array(DecisionCountsSchema, { description: 'The last 24 hours, the oldest first' }),
    days: Type.Array(DecisionCountsSchema, { description: 'The last 30 days (UTC), the oldest first' }),
    probabilities: Type.Array(BucketSchema, { description: 'Probabilities of the last 30 days' }),
    blocked_sites: Type.Array(BlockedSchema, {
      description:
        'Sites of the links for which checks were blocked most often: the wrapped link or the target of a redirect, if that decided',
    }),
    blocked_suffixes: Type.Array(BlockedSchema, { description: 'Public suffixes under which most was blocked' }),
    answer_seconds: Type.Object(
      {
        p50: nullableSeconds('Half of the checks were answered in this time'),
        p90: nullableSeconds('90 % of them were'),
        p99: nullableSeconds('99 % of them were'),
        histogram: Type.Array(BucketSchema, { description: 'Seconds, in buckets that widen' }),
      },
      { $id: 'AnswerSeconds', description: 'Answer times of the last 30 days; null without checks' },
    ),
    disk_free_percent: Type.Integer({ minimum: 0, maximum: 100, description: 'Free space where the logs are' }),
    retention: RetentionSchema,
    fleet: Type.Optional(FleetSchema),
    rescored: Type.Optional(RescoreOutcomeSchema),
  },
  { $id: 'Stats', description: 'What the public checks add up to' },
);

export type Stats = Static<typeof StatsSchema>;

/** The part of them that a log knows by itself. */
export type LogStats = Omit<Stats, 'retention' | 'rescored'>;
