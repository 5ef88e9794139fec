import { and, asc, count, desc, eq, inArray, lt, ne, sql, sum } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import {
  acceptedOnChecks,
  FEEDBACK_BOUNDS,
  type FeedbackBounds,
  type FeedbackQueue,
  type FeedbackReview,
  type FeedbackRow,
  feedbackOf,
} from '#src/checks/store/feedback/feedback-queue.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { pgFeedback as feedback, pgRetention } from '#src/parts/postgres/schema/tables.ts';
import { databaseFaultOf, faultSentence } from '#src/parts/postgres/session/fault.ts';
import { onPublicPrimary, type PublicPrimary } from '#src/parts/postgres/session/public-primary.ts';

/** Serializes the nodes that add feedback, so that together they keep to the bounds. */
const LOCK = sql`select pg_advisory_xact_lock(hashtextextended('lurecheck feedback', 0))`;

/** Opens the feedback of all nodes. Each call uses a connection of its own and throws StoreError `database` if that fails. */
export function openSharedFeedback(place: PublicPrimary, now: () => number): FeedbackReview {
  const inDatabase = <T>(work: (db: BunSQLDatabase) => Promise<T>) => onFeedback(place, work);
  return {
    newest: (state, limit) =>
      inDatabase((db) =>
        db
          .select()
          .from(feedback)
          .where(state === null ? undefined : eq(feedback.state, state))
          .orderBy(desc(feedback.id))
          .limit(limit),
      ),
    find: (id) => inDatabase(async (db) => (await db.select().from(feedback).where(eq(feedback.id, id)))[0] ?? null),
    async settle(id, state, entry) {
      const isWaiting = and(eq(feedback.id, id), eq(feedback.state, 'waiting'));
      const change = { state, entry, settledAtMs: now() };
      const settled = await inDatabase((db) =>
        db.update(feedback).set(change).where(isWaiting).returning({ id: feedback.id }),
      );
      return settled.length > 0;
    },
    async reopen(id) {
      const isSettled = and(eq(feedback.id, id), ne(feedback.state, 'waiting'));
      const change = { state: 'waiting', entry: null, settledAtMs: null } as const;
      const reopened = await inDatabase((db) =>
        db.update(feedback).set(change).where(isSettled).returning({ id: feedback.id }),
      );
      return reopened.length > 0;
    },
    async counts() {
      const rows = await inDatabase((db) =>
        db.select({ state: feedback.state, rows: count() }).from(feedback).groupBy(feedback.state),
      );
      return { waiting: 0, accepted: 0, rejected: 0, ...Object.fromEntries(rows.map((row) => [row.state, row.rows])) };
    },
    async accepted() {
      return acceptedOnChecks(
        await inDatabase((db) => db.select().from(feedback).where(eq(feedback.state, 'accepted'))),
      );
    },
    async remove(meant) {
      const condition = feedbackOf(feedback, meant);
      const removed = await inDatabase((db) => db.delete(feedback).where(condition).returning({ id: feedback.id }));
      return removed.length;
    },
    async [Symbol.asyncDispose]() {},
  };
}

/**
 * Moves the feedback of a node to the database of all nodes. What the bounds leave no room for stays on the node. Feedback that
 * is sent twice, because the node stopped in between, is stored once.
 */
export async function moveFeedback(
  queue: FeedbackQueue,
  place: PublicPrimary,
  bounds: FeedbackBounds = FEEDBACK_BOUNDS,
): Promise<void> {
  const own = queue.newest(null, bounds.rows).toReversed();
  if (own.length === 0) return;
  await onFeedback(place, async (db) => {
    for (const given of own) if (await add(db, given, bounds)) queue.drop(given.id);
  });
}

/** Removes the feedback that is older than the days that the owner of the database set for checks. */
export async function forgetFeedback(place: PublicPrimary, nowMs: number): Promise<void> {
  await onFeedback(place, async (db) => {
    const [bounds] = await db.select({ days: pgRetention.days }).from(pgRetention);
    if (!bounds || bounds.days === 0) return;
    await db.delete(feedback).where(lt(feedback.receivedAtMs, nowMs - bounds.days * DAY_MS));
  });
}

/** Returns false if there is no room. */
async function add(db: BunSQLDatabase, { id: _, ...given }: FeedbackRow, bounds: FeedbackBounds): Promise<boolean> {
  return await db.transaction(async (transaction) => {
    await transaction.execute(LOCK);
    const ofClient = and(eq(feedback.state, 'waiting'), eq(feedback.clientHash, given.clientHash));
    const [own] = await transaction.select({ rows: count() }).from(feedback).where(ofClient);
    if (given.state === 'waiting' && (own?.rows ?? 0) >= bounds.ofClient) return false;
    for (;;) {
      const [held] = await transaction
        .select({ rows: count(), bytes: sum(feedback.bytes).mapWith(Number) })
        .from(feedback);
      if ((held?.rows ?? 0) < bounds.rows && (held?.bytes ?? 0) + given.bytes <= bounds.bytes) break;
      const settled = transaction
        .select({ id: feedback.id })
        .from(feedback)
        .where(ne(feedback.state, 'waiting'))
        .orderBy(asc(feedback.id))
        .limit(1);
      const gone = await transaction
        .delete(feedback)
        .where(inArray(feedback.id, settled))
        .returning({ id: feedback.id });
      if (gone.length === 0) return false;
    }
    await transaction.insert(feedback).values(given).onConflictDoNothing();
    return true;
  });
}

async function onFeedback<T>(place: PublicPrimary, work: (db: BunSQLDatabase) => Promise<T>): Promise<T> {
  try {
    return await onPublicPrimary(place, ({ db }) => work(db));
  } catch (cause) {
    const fault = databaseFaultOf(cause);
    if (!fault) throw cause;
    throw new StoreError(
      'database',
      `The database with the feedback of all nodes cannot be used: ${faultSentence(fault)}`,
      {
        cause,
      },
    );
  }
}
