import { sql } from 'drizzle-orm';
import {
  blob,
  check,
  customType,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { requestIdBytes, requestIdText } from '#src/core/base/request-id.ts';
import { type AnalysisDetails, type CheckResult, COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { CRITERIA } from '../deletions/deletion-target.ts';

type Decision = CheckResult['decision'];

/** A request id as its 16 bytes, which are in order as its texts are. */
const requestId = customType<{ data: string; driverData: Uint8Array }>({
  dataType: () => 'blob',
  toDriver: requestIdBytes,
  fromDriver: requestIdText,
});

/** A decision as its place among all decisions, the mildest first. */
const decision = customType<{ data: Decision; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => DECISIONS.indexOf(value),
  fromDriver: (place) => DECISIONS[place] ?? 'warn',
});

/** A coverage as its place among all coverages, the most first. */
const coverage = customType<{ data: AnalysisDetails['coverage']; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => COVERAGES.indexOf(value),
  fromDriver: (place) => COVERAGES[place] ?? 'url_only',
});

/**
 * One finished check a row. The public and the private file have the same tables. A check is known, and in order, by its
 * request id, which begins with the time; `id` counts on in the order of logging. Columns that were added later stand
 * behind `record`, because SQLite can only append; a page of the history reads past the few records that overflow.
 */
export const checks = sqliteTable(
  'checks',
  {
    id: integer('id').primaryKey(),
    requestId: requestId('request_id').notNull(),
    decision: decision('decision').notNull(),
    probability: real('probability').notNull(),
    /** Under what its answer time is counted. */
    answerTimeBucket: integer('answer_time_bucket').notNull(),
    /** HMAC-SHA-256 of the client's key; always null in the public file. */
    clientHash: blob('client_hash', { mode: 'buffer' }),
    /** Whether who asked was gone before the answer was written. */
    isUndelivered: integer('is_undelivered', { mode: 'boolean' }).notNull(),
    /** Null where it is the one in `url`, as nearly always. */
    host: text('host'),
    /** Canonical URL, redacted as its log asks. */
    url: text('url').notNull(),
    /** What was in force, see {@link inForce}. */
    inForceId: integer('in_force').notNull(),
    /** The rest of the `CheckResult`, redacted as its log asks, by `packRecord`. */
    record: blob('record', { mode: 'buffer' }).notNull(),
    /** Both null for a check that version 0.1 logged. */
    coverage: coverage('coverage'),
    caution: integer('caution', { mode: 'boolean' }),
    /** Under which a blocked check is counted, where another URL than the checked one decided; else null. */
    decidingHost: text('deciding_host'),
  },
  (table) => [
    // A check that is kept twice has the same decision twice.
    uniqueIndex('checks_by_decision').on(table.decision, table.requestId),
    check('checks_request_id', sql`length(${table.requestId}) = 16`),
    check('checks_decision', sql`${table.decision} between 0 and 2`),
    check('checks_probability', sql`${table.probability} between 0 and 1`),
  ],
);

/** Thresholds, base rate and model that checks were judged by, as JSON, each once. They say nothing of any check. */
export const inForce = sqliteTable('in_force', {
  id: integer('id').primaryKey(),
  settings: text('settings').notNull().unique(),
});

/**
 * The greatest id that a deleted check had, in one row at most. No check is given that or an earlier one, so that whoever
 * follows a log, or reads on in it, never takes a new check for an old one.
 */
export const lastDeleted = sqliteTable('last_deleted', {
  /** Always 1. */
  row: integer('row').primaryKey(),
  checkId: integer('check_id').notNull(),
});

/** The blocks of checks whose domains are indexed, see `src/store/domains`. */
export const domainBlocks = sqliteTable(
  'domain_blocks',
  {
    block: integer('block').primaryKey(),
    /** When the first and the last of its checks began. */
    oldestMs: integer('oldest_ms').notNull(),
    newestMs: integer('newest_ms').notNull(),
  },
  (table) => [index('domain_blocks_by_newest').on(table.newestMs)],
);

/** The domains of a block of checks, those of one bucket: see `cellKey` and `writeCell`. */
export const checkDomains = sqliteTable('check_domains', {
  cell: integer('cell').primaryKey(),
  entries: blob('entries', { mode: 'buffer' }).notNull(),
});

/**
 * Deletions that were asked for, done and to be done, oldest first. The table only grows: triggers refuse to remove a row,
 * or to change one that is done.
 */
export const deletions = sqliteTable('deletions', {
  id: integer('id').primaryKey(),
  askedAtMs: integer('asked_at_ms').notNull(),
  by: text('by', { enum: CRITERIA }).notNull(),
  /** The id, the domain or the moment that was named; null once all is deleted, but for a moment. */
  wanted: text('wanted'),
  /** HMAC-SHA-256 of what was named, by which it can be recognised but not be read. */
  wantedHash: blob('wanted_hash', { mode: 'buffer' }).notNull(),
  /** The newest check at that time: later ones stay. */
  newestId: integer('newest_id').notNull(),
  /** How many checks have gone. */
  removed: integer('removed').notNull(),
  /** When no trace was left in any file; null until then. */
  doneAtMs: integer('done_at_ms'),
});

/**
 * Exports of private checks, oldest first. The table only grows: triggers refuse to remove a row, or to change one that is
 * done. A row is there before anything is written.
 */
export const exportsMade = sqliteTable('exports', {
  id: integer('id').primaryKey(),
  begunAtMs: integer('begun_at_ms').notNull(),
  /** Whom the system took the process for. */
  user: text('user').notNull(),
  format: text('format').notNull(),
  /** HMAC-SHA-256 of what was asked for, which may name a domain: by it the same words are recognised. */
  selectionHash: blob('selection_hash', { mode: 'buffer' }).notNull(),
  /** How many checks were handed out; null where nobody knows, since it did not come to its end. */
  checks: integer('checks'),
  doneAtMs: integer('done_at_ms'),
});

/** What is counted by period: checks by decision an hour, by probability and by answer time a day. */
export const MEASURES = ['decision_by_hour', 'probability_by_day', 'answer_time_by_day'] as const;

/** Counts of public checks, kept in the transaction that keeps the check. */
export const counts = sqliteTable(
  'counts',
  {
    measure: text('measure', { enum: MEASURES }).notNull(),
    periodStartMs: integer('period_start_ms').notNull(),
    bucket: integer('bucket').notNull(),
    checks: integer('checks').notNull(),
  },
  (table) => [primaryKey({ columns: [table.measure, table.periodStartMs, table.bucket] })],
);

/** How often public checks of a site, or of all sites under a public suffix, were decided `block`. */
export const blocked = sqliteTable(
  'blocked',
  {
    kind: text('kind', { enum: ['site', 'suffix'] }).notNull(),
    name: text('name').notNull(),
    checks: integer('checks').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.name] }),
    index('blocked_by_checks').on(table.kind, table.checks),
  ],
);
