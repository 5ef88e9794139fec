import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { type AnalysisDetails, type CheckResult, COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { CRITERIA } from '../../deletions/deletion-target.ts';

const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value),
});

const decision = customType<{ data: CheckResult['decision']; driverData: number }>({
  dataType: () => 'smallint',
  toDriver: (value) => DECISIONS.indexOf(value),
  fromDriver: (place) => DECISIONS[place] ?? 'warn',
});

const coverage = customType<{ data: AnalysisDetails['coverage']; driverData: number }>({
  dataType: () => 'smallint',
  toDriver: (value) => COVERAGES.indexOf(value),
  fromDriver: (place) => COVERAGES[place] ?? 'url_only',
});

/** One finished check a row, in partitions of a day by request id, which begins with the time. As `checks` of a file. */
export const pgChecks = pgTable('checks', {
  requestId: uuid('request_id').primaryKey(),
  /** Counts on in about the order of logging: of two nodes, the later number may be committed first. */
  logged: bigint('logged', { mode: 'number' }).notNull(),
  decision: decision('decision').notNull(),
  probability: doublePrecision('probability').notNull(),
  answerTimeBucket: smallint('answer_time_bucket').notNull(),
  clientHash: bytes('client_hash'),
  host: text('host'),
  url: text('url').notNull(),
  inForce: bytes('in_force').notNull(),
  record: bytes('record').notNull(),
  coverage: coverage('coverage'),
  caution: boolean('caution'),
  decidingHost: text('deciding_host'),
});

/** The names under which a check is found, each with the order of its decision. */
export const pgCheckDomains = pgTable(
  'check_domains',
  {
    domain: text('domain').notNull(),
    decision: decision('decision').notNull(),
    requestId: uuid('request_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.decision, table.requestId] })],
);

/** What was in force for checks, under the beginning of its hash. */
export const pgInForce = pgTable('in_force', { id: bytes('id').primaryKey(), settings: text('settings').notNull() });

/** The checks whose answer nobody was there to take. A role that may only insert can say so of a check that is kept. */
export const pgUndelivered = pgTable('undelivered', { requestId: uuid('request_id').primaryKey() });

/** Deletions that were asked for; see `deletions` of a file. */
export const pgDeletions = pgTable('deletions', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  askedAtMs: bigint('asked_at_ms', { mode: 'number' }).notNull(),
  by: text('by', { enum: CRITERIA }).notNull(),
  wanted: text('wanted'),
  wantedHash: bytes('wanted_hash').notNull(),
  /** The number of the newest check at that time: later ones stay. */
  lastLogged: bigint('last_logged', { mode: 'number' }).notNull(),
  removed: bigint('removed', { mode: 'number' }).notNull(),
  doneAtMs: bigint('done_at_ms', { mode: 'number' }),
});

/** Counts of public checks: of each node by itself, so that none waits for another. */
export const pgCounts = pgTable(
  'counts',
  {
    measure: smallint('measure').notNull(),
    periodStartMs: bigint('period_start_ms', { mode: 'number' }).notNull(),
    bucket: smallint('bucket').notNull(),
    node: integer('node').notNull(),
    checks: bigint('checks', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.measure, table.periodStartMs, table.bucket, table.node] })],
);

/** How often public checks were decided `block`: by the day, so that a day can be forgotten. */
export const pgBlocked = pgTable(
  'blocked',
  {
    dayMs: bigint('day_ms', { mode: 'number' }).notNull(),
    kind: smallint('kind').notNull(),
    name: text('name').notNull(),
    node: integer('node').notNull(),
    checks: bigint('checks', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.dayMs, table.kind, table.name, table.node] })],
);

/** How often each name was blocked over all days, of what was folded under {@link TOGETHER}. Triggers keep it so. */
export const pgBlockedSums = pgTable(
  'blocked_sums',
  {
    kind: smallint('kind').notNull(),
    name: text('name').notNull(),
    checks: bigint('checks', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.name] })],
);

/** The one row with the bounds of a log; 0 sets none. */
export const pgRetention = pgTable('retention', {
  isOnly: boolean('is_only').primaryKey(),
  days: integer('days').notNull(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  rows: bigint('rows', { mode: 'number' }).notNull(),
});

/** Who writes to the log. */
export const pgNodes = pgTable('nodes', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull().unique(),
  version: text('version').notNull(),
  modelVersion: text('model_version').notNull(),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
  /** By how much its clock is ahead of the database's, in milliseconds. */
  aheadMs: bigint('ahead_ms', { mode: 'number' }).notNull(),
  listsVersion: text('lists_version').notNull(),
  /** How many of its checks are not in their databases yet. */
  waiting: bigint('waiting', { mode: 'number' }).notNull(),
  /** How many of its answered checks their databases refused. */
  setAside: bigint('set_aside', { mode: 'number' }).notNull(),
  /** Changes with each start of the node; null for a command that only adds checks. */
  run: uuid('run'),
  /** Fingerprints of what should be the same on all nodes, as JSON of {@link NodePrints}. */
  prints: text('prints').notNull(),
});

/** The files that all nodes share, sealed; see `ContentSeal`. */
export const pgSharedDocuments = pgTable('shared_documents', {
  name: text('name').primaryKey(),
  version: bigint('version', { mode: 'number' }).notNull(),
  /** Null if the fleet has no such file. */
  content: bytes('content'),
  changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  changedBy: text('changed_by').notNull(),
});

/** The one row that says which log a database holds. */
export const pgInstallation = pgTable('installation', {
  isOnly: boolean('is_only').primaryKey(),
  role: text('role', { enum: ['public', 'private'] }).notNull(),
  /** The same in both databases; null in a private one until a node joins it to the public one. */
  id: uuid('id'),
});

/** The timelines on which nodes found a server cluster. */
export const pgTimelines = pgTable(
  'timelines',
  {
    cluster: text('cluster').notNull(),
    timeline: bigint('timeline', { mode: 'number' }).notNull(),
    seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.timeline] })],
);

/** Under this number stands what was counted by nodes and is counted together, of which what was deleted is taken away. */
export const TOGETHER = 0;

/** The places of the measures and of the kinds of names in their columns. A number keeps its meaning for good. */
export const PG_MEASURES = { decision_by_hour: 0, probability_by_day: 1, answer_time_by_day: 2 } as const;
export const PG_BLOCKED_KINDS = { site: 0, suffix: 1 } as const;
