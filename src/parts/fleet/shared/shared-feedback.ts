import { sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { acceptedOnChecks, countsOf, feedbackQueries, hasRoom } from '#src/checks/store/feedback/feedback-queries.ts';
import {
  FEEDBACK_BOUNDS,
  type FeedbackBounds,
  type FeedbackQueue,
  type FeedbackReview,
  type FeedbackRow,
} from '#src/checks/store/feedback/feedback-queue.ts';
import { queriesOf, tableOf } from '#src/checks/store/read/queries.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { pgFeedback as feedback, pgRetention } from '#src/parts/postgres/schema/tables.ts';
import { databaseFaultOf, faultSentence } from '#src/parts/postgres/session/fault.ts';
import { onPublicPrimary, type PublicPrimary } from '#src/parts/postgres/session/public-primary.ts';

/** Serializes the nodes that add feedback, so that together they keep to the bounds. */
const LOCK = sql`select pg_advisory_xact_lock(hashtextextended('lurecheck feedback', 0))`;

type SharedQueries = ReturnType<typeof feedbackQueries>;

const queriesIn = (db: object) => feedbackQueries(queriesOf(db), tableOf(feedback));

/** Opens the feedback of all nodes. Each call uses a connection of its own and throws StoreError `database` if that fails. */
export function openSharedFeedback(place: PublicPrimary, now: () => number): FeedbackReview {
  const inDatabase = <Row>(query: (queries: SharedQueries) => PromiseLike<Row[]>) =>
    onFeedback(place, async (db) => await query(queriesIn(db)));
  return {
    newest: (state, limit) => inDatabase(({ newest }) => newest(state, limit)),
    find: async (id) => (await inDatabase(({ find }) => find(id)))[0] ?? null,
    async settle(id, state, entry) {
      const settled = { state, entry, settledAtMs: now() };
      return (await inDatabase(({ settle }) => settle(id, settled))).length > 0;
    },
    reopen: async (id) => (await inDatabase(({ reopen }) => reopen(id))).length > 0,
    counts: async () => countsOf(await inDatabase(({ byState }) => byState())),
    accepted: async () => acceptedOnChecks(await inDatabase(({ accepted }) => accepted())),
    remove: async (meant) => (await inDatabase(({ removeOf }) => removeOf(meant))).length,
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
    await queriesIn(db).removeBefore(nowMs - bounds.days * DAY_MS);
  });
}

/** Returns false if there is no room. */
async function add(db: BunSQLDatabase, { id: _, ...given }: FeedbackRow, bounds: FeedbackBounds): Promise<boolean> {
  return await db.transaction(async (transaction) => {
    await transaction.execute(LOCK);
    const queries = queriesIn(transaction);
    const [own] = await queries.waitingOf(given.clientHash);
    if (given.state === 'waiting' && (own?.rows ?? 0) >= bounds.ofClient) return false;
    while (!hasRoom(await queries.size(), given.bytes, bounds))
      if ((await queries.makeRoom()).length === 0) return false;
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
