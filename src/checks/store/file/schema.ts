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
import { type AnalysisDetails, type CheckResult, COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS, type Via } from '#src/checks/record/decided-by.ts';
import { requestIdBytes, requestIdsBytes, requestIdsIn, requestIdText } from '#src/core/base/request-id.ts';
import { CRITERIA } from '../deletions/deletion-target.ts';

type Decision = CheckResult['decision'];

/** A request id as 16 bytes, which sort like its text. */
const requestId = customType<{ data: string; driverData: Uint8Array }>({
  dataType: () => 'blob',
  toDriver: requestIdBytes,
  fromDriver: requestIdText,
});

/** A decision as its index in `DECISIONS`. */
const decision = customType<{ data: Decision; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => DECISIONS.indexOf(value),
  fromDriver: (place) => DECISIONS[place] ?? 'warn',
});

/** A coverage as its index in `COVERAGES`. */
const coverage = customType<{ data: AnalysisDetails['coverage']; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => COVERAGES.indexOf(value),
  fromDriver: (place) => COVERAGES[place] ?? 'url_only',
});

/** A way of a request as its index in `VIAS`. */
const via = customType<{ data: Via; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => VIAS.indexOf(value),
  fromDriver: (place) => VIAS[place] ?? 'api',
});

/**
 * Finished checks, one per row; public and private files have the same tables. The request id identifies a check and
 * begins with its time; `id` increments in log order. Later columns follow `record`, because SQLite can only append
 * them; a page of the history reads past the few records that overflow.
 */
export const checks = sqliteTable(
  'checks',
  {
    id: integer('id').primaryKey(),
    requestId: requestId('request_id').notNull(),
    decision: decision('decision').notNull(),
    probability: real('probability').notNull(),
    /** Bucket of the answer time. */
    answerTimeBucket: integer('answer_time_bucket').notNull(),
    /** HMAC-SHA-256 of the client's key; always null in the public file. */
    clientHash: blob('client_hash', { mode: 'buffer' }),
    /** True if the client disconnected before the answer was written. */
    isUndelivered: integer('is_undelivered', { mode: 'boolean' }).notNull(),
    /** Null if it is the host of `url`, as nearly always. */
    host: text('host'),
    /** Canonical URL, redacted for its log. */
    url: text('url').notNull(),
    /** Settings that were active, see {@link activeSettings}. */
    activeSettingsId: integer('in_force').notNull(),
    /** The rest of the `CheckResult`, redacted for its log, packed by `packRecord`. */
    record: blob('record', { mode: 'buffer' }).$type<Uint8Array>().notNull(),
    /** Both null for a check that version 0.1 logged. */
    coverage: coverage('coverage'),
    caution: integer('caution', { mode: 'boolean' }),
    /** Host under which a blocked check is counted if another URL than the checked one decided; else null. */
    decidingHost: text('deciding_host'),
    /** How the request came; null for a check that an earlier version logged, as is `reasons`. */
    via: via('via'),
    /** Codes and weights of the reasons, packed by `packReasons`. */
    reasons: blob('reasons', { mode: 'buffer' }),
    /** The list entry that decided, and the owner of its list; all null if no list did. */
    list: text('list'),
    entry: text('entry'),
    listOwner: text('list_owner'),
  },
  (table) => [
    // A check that is stored twice has the same decision twice.
    uniqueIndex('checks_by_decision').on(table.decision, table.requestId),
    // Few checks are decided by a list; it holds all that the hits of lists are counted by.
    index('checks_by_list').on(table.list, table.entry, table.requestId).where(sql`list is not null`),
    check('checks_request_id', sql`length(${table.requestId}) = 16`),
    check('checks_decision', sql`${table.decision} between 0 and 2`),
    check('checks_probability', sql`${table.probability} between 0 and 1`),
  ],
);

/** Request ids one after the other, 16 bytes each. */
const requestIds = customType<{ data: readonly string[]; driverData: Uint8Array }>({
  dataType: () => 'blob',
  toDriver: requestIdsBytes,
  fromDriver: requestIdsIn,
});

/**
 * Verdicts on messages, one per row, without anything of the message. Their links are checks of the same file. Public and
 * private ones are apart as checks are; `id` increments in log order.
 */
export const messages = sqliteTable(
  'messages',
  {
    id: integer('id').primaryKey(),
    requestId: requestId('request_id').notNull(),
    decision: decision('decision').notNull(),
    probability: real('probability').notNull(),
    /** Settings that were active, as those of a check. */
    activeSettingsId: integer('in_force').notNull(),
    via: via('via').notNull(),
    caution: integer('caution', { mode: 'boolean' }).notNull(),
    isWhole: integer('is_whole', { mode: 'boolean' }).notNull(),
    linkCount: integer('link_count').notNull(),
    unchecked: integer('unchecked').notNull(),
    unread: integer('unread').notNull(),
    /** Codes and weights of the reasons, packed by `packReasons`. */
    reasons: blob('reasons', { mode: 'buffer' }).notNull(),
    /** Ids of the checks of its links. */
    links: requestIds('links').notNull(),
    /** As that of a check. */
    clientHash: blob('client_hash', { mode: 'buffer' }),
    isUndelivered: integer('is_undelivered', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    uniqueIndex('messages_by_decision').on(table.decision, table.requestId),
    check('messages_request_id', sql`length(${table.requestId}) = 16`),
    check('messages_decision', sql`${table.decision} between 0 and 2`),
    check('messages_probability', sql`${table.probability} between 0 and 1`),
    check('messages_links', sql`length(${table.links}) % 16 = 0`),
  ],
);

/**
 * Thresholds, base rate and model version of checks as JSON, each combination once. They reveal nothing about a check.
 */
export const activeSettings = sqliteTable('in_force', {
  id: integer('id').primaryKey(),
  settings: text('settings').notNull().unique(),
});

/**
 * Greatest id of a deleted check, in at most one row. No id up to it is reused, so that readers that follow a log never
 * mistake a new check for an old one.
 */
export const lastDeleted = sqliteTable('last_deleted', {
  /** Always 1. */
  row: integer('row').primaryKey(),
  checkId: integer('check_id').notNull(),
});

/** Blocks of checks whose domains are indexed, see `src/checks/store/domains`. */
export const domainBlocks = sqliteTable(
  'domain_blocks',
  {
    block: integer('block').primaryKey(),
    /** Start times of its first and last check. */
    oldestMs: integer('oldest_ms').notNull(),
    newestMs: integer('newest_ms').notNull(),
  },
  (table) => [index('domain_blocks_by_newest').on(table.newestMs)],
);

/** Domains of a block of checks by bucket: see `cellKey` and `writeCell`. */
export const checkDomains = sqliteTable('check_domains', {
  cell: integer('cell').primaryKey(),
  entries: blob('entries', { mode: 'buffer' }).$type<Uint8Array>().notNull(),
});

/** Requested deletions, oldest first. Append-only: triggers refuse to remove a row, or to change a finished one. */
export const deletions = sqliteTable('deletions', {
  id: integer('id').primaryKey(),
  askedAtMs: integer('asked_at_ms').notNull(),
  by: text('by', { enum: CRITERIA }).notNull(),
  /** Id, domain or moment; an id or domain is cleared once the deletion is done. */
  wanted: text('wanted'),
  /** HMAC-SHA-256 of the target, which can be recognized but not read. */
  wantedHash: blob('wanted_hash', { mode: 'buffer' }).notNull(),
  /** Id of the latest check at that time; later ones stay. */
  newestId: integer('newest_id').notNull(),
  /** Checks removed so far. */
  removed: integer('removed').notNull(),
  /** When no trace was left in any file; null until then. */
  doneAtMs: integer('done_at_ms'),
});

/**
 * Exports of private checks, oldest first. Append-only: triggers refuse to remove a row, or to change a finished one. A
 * row is stored before any data is written.
 */
export const exportsMade = sqliteTable('exports', {
  id: integer('id').primaryKey(),
  begunAtMs: integer('begun_at_ms').notNull(),
  /** User name of the process. */
  user: text('user').notNull(),
  format: text('format').notNull(),
  /** HMAC-SHA-256 of the selection, which may name a domain. */
  selectionHash: blob('selection_hash', { mode: 'buffer' }).notNull(),
  /** Number of exported checks; null if the export did not finish. */
  checks: integer('checks'),
  doneAtMs: integer('done_at_ms'),
});

/** Measures: checks per decision and hour, per probability and day, per answer time and day; messages per decision and hour. */
export const MEASURES = ['decision_by_hour', 'probability_by_day', 'answer_time_by_day', 'message_by_hour'] as const;

/** Counts of public checks, updated in the transaction that stores the check. */
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

/** Number of blocked public checks per site and per public suffix. */
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
