import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import feedbackSql from '../../../../drizzle/feedback/0000_feedback.sql' with { type: 'text' };
import type { DeletionTarget } from '../deletions/deletion-target.ts';
import { examineFile } from '../file/examine-file.ts';
import { asStoreError, writeFailure } from '../file/fault.ts';
import { openOrSetAside, openSideFile } from '../file/open-side-file.ts';
import { queriesOf, rowsOf, tableOf } from '../read/queries.ts';
import { feedbackFileIn, hasFeedback } from './feedback-file.ts';
import { acceptedOnChecks, countsOf, feedbackQueries, hasRoom } from './feedback-queries.ts';
import { feedback } from './feedback-schema.ts';

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
  /** Sets a damaged file aside, and begins a new one; called with its new path. Only for the service. */
  readonly onReplaced?: (keptAs: string, error: unknown) => void;
}

/**
 * Opens the feedback of a data directory, and creates its file if missing. Several processes may open it.
 *
 * @throws StoreError with the code of its fault
 */
export function openFeedback({ dataDir, now, bounds = FEEDBACK_BOUNDS, onReplaced }: OpenFeedback): FeedbackQueue {
  const path = feedbackFileIn(dataDir);
  const database = onReplaced
    ? openOrSetAside(path, now(), () => openSideFile(path, now(), MIGRATIONS, examineFile), onReplaced)
    : openSideFile(path, now(), MIGRATIONS);
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
  const queries = feedbackQueries(queriesOf(db), tableOf(feedback));
  const changed = (change: PromiseLike<unknown[]>) => writing(() => rowsOf(change).length);
  const takeNow = createAdder(db, bounds, queries);
  return {
    take: (given) => writing(() => takeNow(given)),
    newest: (state, limit) => reading(() => rowsOf(queries.newest(state, limit))),
    find: (id) => reading(() => rowsOf(queries.find(id))[0] ?? null),
    settle: (id, state, entry) => changed(queries.settle(id, { state, entry, settledAtMs: now() })) > 0,
    reopen: (id) => changed(queries.reopen(id)) > 0,
    counts: () => reading(() => countsOf(rowsOf(queries.byState()))),
    accepted: () => reading(() => acceptedOnChecks(rowsOf(queries.accepted()))),
    forget: (beforeMs) => changed(queries.removeBefore(beforeMs)),
    remove: (meant) => changed(queries.removeOf(meant)),
    drop: (id) => void changed(queries.remove(eq(feedback.id, id))),
    [Symbol.dispose]: () => database.close(),
  };
}

/** Returns the feedback of a data directory for a review; null if there is none. Throws as {@link openFeedback}. */
export function reviewFeedback(dataDir: string, now: () => number): FeedbackReview | null {
  if (!hasFeedback(dataDir)) return null;
  const queue = openFeedback({ dataDir, now });
  return { ...queue, [Symbol.asyncDispose]: async () => queue[Symbol.dispose]() };
}

/** Returns a function that adds feedback within the bounds. */
function createAdder(
  db: ReturnType<typeof drizzle>,
  bounds: FeedbackBounds,
  queries: ReturnType<typeof feedbackQueries>,
): (given: NewFeedback) => FeedbackOutcome {
  return (given) => {
    const waits = and(eq(feedback.state, 'waiting'), eq(feedback.clientHash, given.clientHash));
    const same = and(waits, eq(feedback.url, given.url), eq(feedback.verdict, given.verdict));
    if (rowsOf(queries.rowsWith(same).limit(1)).length > 0) return 'repeated';
    const [own] = rowsOf(queries.waitingOf(given.clientHash));
    if ((own?.rows ?? 0) >= bounds.ofClient) return 'full';
    const bytes = Buffer.byteLength(given.url) + Buffer.byteLength(given.comment);
    while (!hasRoom(rowsOf(queries.size()), bytes, bounds)) if (rowsOf(queries.makeRoom()).length === 0) return 'full';
    db.insert(feedback)
      .values({ ...given, state: 'waiting', bytes })
      .run();
    return 'kept';
  };
}
