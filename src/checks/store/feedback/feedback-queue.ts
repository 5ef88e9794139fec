import { existsSync } from 'node:fs';
import { and, asc, type Column, count, desc, eq, inArray, lt, ne, type SQL, sql, sum } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import feedbackSql from '../../../../drizzle/feedback/0000_feedback.sql' with { type: 'text' };
import type { DeletionTarget } from '../deletions/deletion-target.ts';
import { createLog } from '../file/create-log.ts';
import { openDatabase } from '../file/database.ts';
import { asStoreError } from '../file/fault.ts';
import { migrate } from '../file/migrate.ts';
import { writeFailure } from '../file/write-failure.ts';
import { FEEDBACK_STATES, feedback } from './feedback-schema.ts';

/** Stored feedback on a link. */
export type FeedbackRow = typeof feedback.$inferSelect;

/** State of feedback. */
export type FeedbackState = FeedbackRow['state'];

/** New feedback on a link, already masked. */
export type NewFeedback = Omit<typeof feedback.$inferInsert, 'id' | 'state' | 'settledAtMs' | 'entry' | 'bytes'>;

/** Verdict of accepted feedback on a check, and the model's probability. */
export interface AcceptedFeedback extends Pick<FeedbackRow, 'verdict'> {
  readonly probability: number;
  readonly modelVersion: string;
}

/** Result of adding feedback; a client's repetition is not stored. */
export type FeedbackOutcome = 'kept' | 'repeated' | 'full';

/** Bounds of stored feedback. */
export interface FeedbackBounds {
  readonly rows: number;
  readonly bytes: number;
  /** Maximum unreviewed feedback per client. */
  readonly ofClient: number;
}

/** Bounds of the feedback of a node, and of that of all nodes together. */
export const FEEDBACK_BOUNDS: FeedbackBounds = { rows: 5000, bytes: 4 * 1024 * 1024, ofClient: 100 };

/** Feedback as the operator reviews it, wherever it is stored. Its calls throw StoreError. */
export interface FeedbackReview extends AsyncDisposable {
  /** Returns the latest of a state, or of all. */
  newest(state: FeedbackState | null, limit: number): Awaitable<readonly FeedbackRow[]>;
  find(id: number): Awaitable<FeedbackRow | null>;
  /** Settles waiting feedback; false if none waits under this id. */
  settle(id: number, as: Exclude<FeedbackState, 'waiting'>, entry: string | null): Awaitable<boolean>;
  /** Returns settled feedback to the waiting; false if none is settled under this id. */
  reopen(id: number): Awaitable<boolean>;
  counts(): Awaitable<Readonly<Record<FeedbackState, number>>>;
  /** Returns the accepted feedback on checks. */
  accepted(): Awaitable<readonly AcceptedFeedback[]>;
  /** Removes what a deletion from the history includes. Returns how many. */
  remove(meant: DeletionTarget): Awaitable<number>;
}

type Awaitable<T> = T | Promise<T>;

/** Returns each member's result at once. */
type AtOnce<T> = {
  [Name in keyof T]: T[Name] extends (...given: infer Given) => Awaitable<infer Result>
    ? (...given: Given) => Awaited<Result>
    : T[Name];
};

/** Feedback in a file of this node. */
export interface FeedbackQueue extends AtOnce<Omit<FeedbackReview, keyof AsyncDisposable>>, Disposable {
  /** Adds feedback. If there is no room, settled feedback is removed first. */
  take(given: NewFeedback): FeedbackOutcome;
  /** Removes what was received before a time. Returns how many. */
  forget(beforeMs: number): number;
  /** Removes feedback that is stored elsewhere now. */
  drop(id: number): void;
}

const MIGRATIONS = [{ name: '0000_feedback', sql: feedbackSql }];

/** Options of {@link openFeedback}. */
export interface OpenFeedback {
  readonly dataDir: string;
  readonly now: () => number;
  readonly bounds?: FeedbackBounds;
}

/** Returns the path of a data directory's feedback. */
export function feedbackFileIn(dataDir: string): string {
  return `${dataDir}/feedback.sqlite`;
}

/** Returns true if a data directory has feedback. */
export function hasFeedback(dataDir: string): boolean {
  return existsSync(feedbackFileIn(dataDir));
}

/**
 * Opens the feedback of a data directory, and creates its file if missing. Several processes may open it.
 *
 * @throws StoreError with the code of its fault
 */
export function openFeedback({ dataDir, now, bounds = FEEDBACK_BOUNDS }: OpenFeedback): FeedbackQueue {
  const path = feedbackFileIn(dataDir);
  createLog(path, now(), MIGRATIONS);
  const database = openDatabase(path);
  const db = drizzle(database);

  const writing = <T>(write: () => T): T => {
    try {
      const written = database.transaction(write).immediate();
      // There are few rows, and removed ones must leave no trace.
      database.query('pragma wal_checkpoint(truncate)').all();
      return written;
    } catch (error) {
      throw asStoreError(path, writeFailure(path, error));
    }
  };
  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw asStoreError(path, error);
    }
  };
  const removeWhere = createRemover(db);
  const takeNow = createAdder(db, bounds, removeWhere);

  try {
    migrate(database, { nowMs: now(), mayUpgrade: true, backUp: () => {}, migrations: MIGRATIONS });
  } catch (error) {
    database.close();
    throw asStoreError(path, error);
  }
  return {
    take: (given) => writing(() => takeNow(given)),
    newest: (state, limit) =>
      reading(() =>
        db
          .select()
          .from(feedback)
          .where(state === null ? undefined : eq(feedback.state, state))
          .orderBy(desc(feedback.id))
          .limit(limit)
          .all(),
      ),
    find: (id) => reading(() => db.select().from(feedback).where(eq(feedback.id, id)).get() ?? null),
    settle: (id, state, entry) =>
      writing(
        () =>
          db
            .update(feedback)
            .set({ state, entry, settledAtMs: now() })
            .where(and(eq(feedback.id, id), eq(feedback.state, 'waiting')))
            .returning({ id: feedback.id })
            .all().length > 0,
      ),
    reopen: (id) =>
      writing(
        () =>
          db
            .update(feedback)
            .set({ state: 'waiting', entry: null, settledAtMs: null })
            .where(and(eq(feedback.id, id), ne(feedback.state, 'waiting')))
            .returning({ id: feedback.id })
            .all().length > 0,
      ),
    counts: () =>
      reading(() => {
        const rows = db.select({ state: feedback.state, rows: count() }).from(feedback).groupBy(feedback.state).all();
        const [waiting = 0, accepted = 0, rejected = 0] = FEEDBACK_STATES.map(
          (state) => rows.find((row) => row.state === state)?.rows ?? 0,
        );
        return { waiting, accepted, rejected };
      }),
    accepted: () =>
      reading(() => acceptedOnChecks(db.select().from(feedback).where(eq(feedback.state, 'accepted')).all())),
    forget: (beforeMs) => writing(() => removeWhere(lt(feedback.receivedAtMs, beforeMs))),
    remove: (meant) => writing(() => removeWhere(feedbackOf(feedback, meant))),
    drop: (id) => void writing(() => removeWhere(eq(feedback.id, id))),
    [Symbol.dispose]: () => database.close(),
  };
}

/** Returns the feedback of a data directory for a review; null if there is none. Throws as {@link openFeedback}. */
export function reviewFeedback(dataDir: string, now: () => number): FeedbackReview | null {
  if (!hasFeedback(dataDir)) return null;
  const queue = openFeedback({ dataDir, now });
  return { ...queue, [Symbol.asyncDispose]: async () => queue[Symbol.dispose]() };
}

type Db = ReturnType<typeof drizzle>;
type Remover = (condition: SQL | undefined) => number;

function createRemover(db: Db): Remover {
  return (condition) => db.delete(feedback).where(condition).returning({ id: feedback.id }).all().length;
}

/** Returns a function that adds feedback within the bounds. */
function createAdder(db: Db, bounds: FeedbackBounds, removeWhere: Remover): (given: NewFeedback) => FeedbackOutcome {
  function hasRoomFor(bytes: number): boolean {
    const [held] = db
      .select({ rows: count(), bytes: sum(feedback.bytes).mapWith(Number) })
      .from(feedback)
      .all();
    return (held?.rows ?? 0) < bounds.rows && (held?.bytes ?? 0) + bytes <= bounds.bytes;
  }

  /** Removes the oldest settled feedback; false if there is none. */
  function makeRoom(): boolean {
    const settled = db
      .select({ id: feedback.id })
      .from(feedback)
      .where(ne(feedback.state, 'waiting'))
      .orderBy(asc(feedback.id))
      .limit(1);
    return removeWhere(inArray(feedback.id, settled)) > 0;
  }

  return (given) => {
    const waits = and(eq(feedback.state, 'waiting'), eq(feedback.clientHash, given.clientHash));
    const same = and(waits, eq(feedback.url, given.url), eq(feedback.verdict, given.verdict));
    if (db.select({ id: feedback.id }).from(feedback).where(same).limit(1).all().length > 0) return 'repeated';
    const [own] = db.select({ rows: count() }).from(feedback).where(waits).all();
    if ((own?.rows ?? 0) >= bounds.ofClient) return 'full';
    const bytes = Buffer.byteLength(given.url) + Buffer.byteLength(given.comment);
    while (!hasRoomFor(bytes)) if (!makeRoom()) return 'full';
    db.insert(feedback)
      .values({ ...given, state: 'waiting', bytes })
      .run();
    return 'kept';
  };
}

/** Returns the accepted feedback on checks among accepted rows. */
export function acceptedOnChecks(rows: readonly FeedbackRow[]): readonly AcceptedFeedback[] {
  return rows.flatMap(({ verdict, probability, modelVersion }) =>
    probability === null || modelVersion === null ? [] : [{ verdict, probability, modelVersion }],
  );
}

/** Columns by which feedback is deleted, of SQLite or PostgreSQL. */
type DeletionColumns = Readonly<Record<'requestId' | 'receivedAtMs' | 'host', Column>>;

/** Returns the condition for the feedback that a deletion from the history includes. */
export function feedbackOf(
  { requestId, receivedAtMs, host }: DeletionColumns,
  { by, wanted }: DeletionTarget,
): SQL | undefined {
  switch (by) {
    case 'id':
      return eq(requestId, wanted);
    case 'before':
      return lt(receivedAtMs, Date.parse(wanted));
    case 'domain':
      return sql`(${host} = ${wanted} or substr(${host}, length(${host}) - length(${wanted})) = '.' || ${wanted})`;
  }
}
