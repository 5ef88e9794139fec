import { sql } from 'drizzle-orm';
import { blob, check, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { DECISIONS } from '#src/record/check-result.ts';

/**
 * One finished check a row. The public and the private file have the same tables. `result` comes last, so that a page of
 * the history never reads the pages that it overflows into.
 */
export const checks = sqliteTable(
  'checks',
  {
    id: integer('id').primaryKey(),
    requestId: text('request_id').notNull().unique(),
    checkedAtMs: integer('checked_at_ms').notNull(),
    decision: text('decision', { enum: DECISIONS }).notNull(),
    probability: real('probability').notNull(),
    host: text('host').notNull(),
    /** Canonical URL, redacted as its log asks. */
    url: text('url').notNull(),
    /** HMAC-SHA-256 of the client's key; always null in the public file. */
    clientHash: blob('client_hash', { mode: 'buffer' }),
    /** Whether who asked was gone before the answer was written. */
    isUndelivered: integer('is_undelivered', { mode: 'boolean' }).notNull(),
    /** The whole `CheckResult` as JSON, redacted as its log asks. */
    result: text('result').notNull(),
  },
  (table) => [
    index('checks_by_decision').on(table.decision, table.checkedAtMs),
    check('checks_decision', sql`${table.decision} in ('allow', 'warn', 'block')`),
    check('checks_probability', sql`${table.probability} between 0 and 1`),
  ],
);

/**
 * Every suffix of a check's host at a label, the host itself included: what makes a page of one domain cost the same
 * however common the domain is.
 */
export const checkDomains = sqliteTable(
  'check_domains',
  {
    domain: text('domain').notNull(),
    decision: text('decision', { enum: DECISIONS }).notNull(),
    checkedAtMs: integer('checked_at_ms').notNull(),
    checkId: integer('check_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.decision, table.checkedAtMs, table.checkId] })],
);

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
