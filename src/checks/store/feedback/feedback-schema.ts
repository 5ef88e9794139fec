import { blob, index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CheckResult } from '#src/checks/record/check-result.ts';

/** Verdicts that a person may report. */
export const FEEDBACK_VERDICTS = ['malicious', 'benign'] as const;

/** States of feedback. */
export const FEEDBACK_STATES = ['waiting', 'accepted', 'rejected'] as const;

/** Feedback on links, one row each, for the operator only. */
export const feedback = sqliteTable(
  'feedback',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    receivedAtMs: integer('received_at_ms').notNull(),
    verdict: text('verdict', { enum: FEEDBACK_VERDICTS }).notNull(),
    /** Canonical, redacted as in the public log. */
    url: text('url').notNull(),
    /** Host of the URL, used for lookups. */
    host: text('host').notNull(),
    /** The public check that the feedback is about; this and the next three are null for a bare URL. */
    requestId: text('request_id'),
    decision: text('decision').$type<CheckResult['decision']>(),
    probability: real('probability'),
    modelVersion: text('model_version'),
    /** Redacted likewise; may be empty. */
    comment: text('comment').notNull(),
    /** HMAC-SHA-256 of the client's key. */
    clientHash: blob('client_hash', { mode: 'buffer' }).notNull(),
    state: text('state', { enum: FEEDBACK_STATES }).notNull(),
    settledAtMs: integer('settled_at_ms'),
    /** The list entry that was created from it; null if none. */
    entry: text('entry'),
    /** Bytes of its texts. */
    bytes: integer('bytes').notNull(),
  },
  (table) => [index('feedback_by_state').on(table.state, table.id)],
);
