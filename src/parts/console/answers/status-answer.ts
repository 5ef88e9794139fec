import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import type { COVERAGES } from '#src/checks/record/check-result.ts';
import { decisionCounts, RetentionSchema } from '#src/checks/record/stats.ts';
import { ListSourceSchema } from '#src/parts/lists/routes/list-answer.ts';
import { ConditionSchema } from '#src/service/server/condition-schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const text = (description: string) => Type.String({ description });
const time = (description: string) => Type.String({ format: 'date-time', description });

const coverageCounts = {
  full: count('Coverage `full`'),
  partial: count('Coverage `partial`'),
  url_only: count('Coverage `url_only`'),
} satisfies Readonly<Record<(typeof COVERAGES)[number], object>>;

/** Steps of a first installation. Codes are never renamed. */
export const CHECKLIST = ['own_brand', 'own_networks', 'tls', 'backup', 'retention', 'history_access'] as const;

const NoticeSchema = Type.Object(
  {
    code: text('Code of the condition'),
    text: text('The condition, in sentences'),
    remedy: Type.Union([Type.String(), Type.Null()], { description: 'What to do; null if the text says it' }),
  },
  { $id: 'OperatorNotice', description: 'A condition that needs the operator' },
);

const ListAgeSchema = Type.Object(
  {
    name: text('Name of the list'),
    entries: count('Number of entries'),
    updated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it was changed; null if unknown',
    }),
  },
  { $id: 'ListAge', description: 'An active list with its age' },
);

const PackAgeSchema = Type.Object(
  {
    name: text('Name of the pack'),
    version: Type.Integer({ description: 'Its version' }),
    publisher: text('Name of its publisher'),
    expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it expires; null if it cannot be read',
    }),
  },
  { $id: 'PackAge', description: 'An active pack with its age' },
);

export const StatusSchema = Type.Object(
  {
    health: Type.Object(
      {
        state: stringEnum(['ready', 'degraded', 'failed'], {
          description: '`ready`; `degraded`: there are notices; `failed`: checks are refused',
        }),
        notices: Type.Array(NoticeSchema, { description: 'What needs the operator' }),
      },
      { $id: 'OperatorHealth', description: 'Health of the service' },
    ),
    conditions: Type.Array(ConditionSchema, {
      description: 'What needs the operator, errors first, with names and causes',
    }),
    list_sources: Type.Array(ListSourceSchema, { description: 'Scheduled sources of lists' }),
    version: text('Version of the program'),
    started_at: time('When the service was started'),
    checks: Type.Object(
      {
        today: count('Public checks since 00:00 UTC'),
        by_decision: Type.Object(decisionCounts, {
          $id: 'ChecksByDecision',
          description: 'Public checks of today by decision',
        }),
        by_coverage: Type.Object(coverageCounts, {
          $id: 'ChecksByCoverage',
          description: 'Public checks of today by coverage',
        }),
      },
      { $id: 'ChecksToday', description: 'Public checks of today (UTC)' },
    ),
    storage: Type.Object(
      {
        bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
          description: 'Size of both logs; null for logs in databases',
        }),
        free_bytes: count('Free space of the disk with the data directory'),
        retention: RetentionSchema,
      },
      { $id: 'Storage', description: 'The logs and their disk' },
    ),
    model: Type.Object(
      { version: text('Version of the models'), published_at: text('Date of the model, `YYYY-MM-DD`') },
      { $id: 'ActiveModel', description: 'The active model' },
    ),
    lists: Type.Array(ListAgeSchema, { description: 'Active lists' }),
    packs: Type.Array(PackAgeSchema, { description: 'Active packs' }),
    nodes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Nodes that sent a heartbeat within a minute; null without a database, or if none answers',
    }),
    last_backup: Type.Union(
      [
        Type.Object(
          { created_at: time('When it was begun'), name: text('Name of its file') },
          { $id: 'LastBackup', description: 'A complete backup' },
        ),
        Type.Null(),
      ],
      { description: 'Latest complete backup in the folder of scheduled backups; null if there is none' },
    ),
    feedback_waiting: count('Feedback that waits for a decision'),
    checklist: Type.Array(
      Type.Object(
        {
          code: stringEnum(CHECKLIST, { description: 'The step' }),
          done: Type.Boolean({ description: 'True if it is done' }),
        },
        { $id: 'ChecklistStep', description: 'A step of a first installation' },
      ),
      { description: 'Steps of a first installation' },
    ),
  },
  { $id: 'Status', description: 'The service as its operator sees it' },
);

/** The service as its operator sees it. */
export type Status = Static<typeof StatusSchema>;

/** A state of the service that needs the operator. */
export type ShownCondition = Status['conditions'][number];
