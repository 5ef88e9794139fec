import { blob, index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CheckResult } from '#src/checks/record/check-result.ts';

/** What somebody may say that a link is. */
export const FEEDBACK_VERDICTS = ['malicious', 'benign'] as const;

/** What has become of it. */
export const FEEDBACK_STATES = ['waiting', 'accepted', 'rejected'] as const;

/** What people said of links, a row each, for the operator alone. */
export const feedback = sqliteTable(
  'feedback',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    receivedAtMs: integer('received_at_ms').notNull(),
    verdict: text('verdict', { enum: FEEDBACK_VERDICTS }).notNull(),
    /** Canonical, redacted as in the public log. */
    url: text('url').notNull(),
    /** Of the URL, by which it is found. */
    host: text('host').notNull(),
    /** The public check that it is about; this and the next three are null where a URL alone was named. */
    requestId: text('request_id'),
    decision: text('decision').$type<CheckResult['decision']>(),
    probability: real('probability'),
    modelVersion: text('model_version'),
    /** Redacted likewise; empty where there is none. */
    comment: text('comment').notNull(),
    /** HMAC-SHA-256 of the client's key. */
    clientHash: blob('client_hash', { mode: 'buffer' }).notNull(),
    state: text('state', { enum: FEEDBACK_STATES }).notNull(),
    settledAtMs: integer('settled_at_ms'),
    /** The entry of a list that it became; null where it became none. */
    entry: text('entry'),
    /** What its texts take. */
    bytes: integer('bytes').notNull(),
  },
  (table) => [index('feedback_by_state').on(table.state, table.id)],
);
