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
const RescoreOutcomeSchema = Type.Object(
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

/** Counts by decision. */
export const decisionCounts = {
  allow: count('Checks decided `allow`'),
  warn: count('Checks decided `warn`'),
  block: count('Checks decided `block`'),
};

/** Checks of a period by decision. */
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
    until: Type.Number({ description: 'Upper bound, excluded except in the last bucket' }),
    checks: count('Checks in the bucket'),
  },
  { $id: 'Bucket', description: 'Checks between two bounds' },
);

/** Schema of a name with its blocked checks. */
export const BlockedSchema = Type.Object(
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
    days: bound('Days for which checks are stored'),
    bytes: bound('Maximum size of the log in bytes'),
    rows: bound('Maximum number of checks'),
  },
  {
    $id: 'Retention',
    description: 'Bounds of the public log, beyond which the oldest checks are deleted; null is unlimited',
  },
);

const FleetSchema = Type.Object(
  {
    nodes: count('Nodes that sent a heartbeat within a minute'),
    versions: count('Number of their program versions'),
    models: count('Number of their model versions'),
    lists: count("Number of their versions of the operator's lists"),
  },
  { $id: 'Fleet', description: 'The nodes that share this log' },
);

/** Summary of the nodes that share a log. */
export type Fleet = Static<typeof FleetSchema>;

/** The bounds of a log. */
export type RetentionBounds = Static<typeof RetentionSchema>;

/** Statistics of the public checks. */
export const StatsSchema = Type.Object(
  {
    hours: Type.Array(DecisionCountsSchema, { description: 'The last 24 hours, the oldest first' }),
    days: Type.Array(DecisionCountsSchema, { description: 'The last 30 days (UTC), the oldest first' }),
    messages: Type.Object(
      {
        hours: Type.Array(DecisionCountsSchema, { description: 'The last 24 hours, the oldest first' }),
        days: Type.Array(DecisionCountsSchema, { description: 'The last 30 days (UTC), the oldest first' }),
      },
      { $id: 'MessageCounts', description: 'Checks of messages, which the other counts leave out' },
    ),
    probabilities: Type.Array(BucketSchema, { description: 'Probabilities of the last 30 days' }),
    blocked_sites: Type.Array(BlockedSchema, {
      description:
        'Sites of the links for which checks were blocked most often: the wrapped link or the target of a redirect, if that decided',
    }),
    blocked_suffixes: Type.Array(BlockedSchema, { description: 'Public suffixes with the most blocked checks' }),
    answer_seconds: Type.Object(
      {
        p50: nullableSeconds('Half of the checks were answered in this time'),
        p90: nullableSeconds('90 % of them were'),
        p99: nullableSeconds('99 % of them were'),
        histogram: Type.Array(BucketSchema, { description: 'Seconds, in buckets of increasing width' }),
      },
      { $id: 'AnswerSeconds', description: 'Answer times of the last 30 days; null without checks' },
    ),
    disk_free_percent: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Free space of the disk with the logs, in percent',
    }),
    retention: RetentionSchema,
    fleet: Type.Optional(FleetSchema),
    rescored: Type.Optional(RescoreOutcomeSchema),
  },
  { $id: 'Stats', description: 'Statistics of the public checks' },
);

export type Stats = Static<typeof StatsSchema>;

/** The part of the statistics that comes from a log. */
export type LogStats = Omit<Stats, 'retention' | 'rescored'>;
