import { existsSync } from 'node:fs';
import { and, asc, count, desc, eq, inArray, lt, ne, type SQL, sql, sum } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import feedbackSql from '../../../../drizzle/feedback/0000_feedback.sql' with { type: 'text' };
import type { Deletable } from '../deletions/deletion-target.ts';
import { createLog } from '../file/create-log.ts';
import { openDatabase } from '../file/database.ts';
import { asStoreError } from '../file/fault.ts';
import { migrate } from '../file/migrate.ts';
import { writeFailure } from '../file/write-failure.ts';
import { FEEDBACK_STATES, feedback } from './feedback-schema.ts';

/** What somebody said of a link, as it is kept. */
export type KeptFeedback = typeof feedback.$inferSelect;

/** What has become of feedback. */
export type FeedbackState = KeptFeedback['state'];

/** What somebody says of a link, nothing in it that would have to be masked. */
export type NewFeedback = Omit<typeof feedback.$inferInsert, 'id' | 'state' | 'settledAtMs' | 'entry' | 'bytes'>;

/** What feedback says of a check, and what a model had said. */
export interface JudgedFeedback extends Pick<KeptFeedback, 'verdict'> {
  readonly probability: number;
  readonly modelVersion: string;
}

/** What became of feedback that came in: a client that says the same again is heard once. */
export type Taken = 'kept' | 'repeated' | 'full';

/** What is bounded, whatever comes in. */
export interface FeedbackBounds {
  readonly rows: number;
  readonly bytes: number;
  /** Of one client, that nobody has looked at yet. */
  readonly ofClient: number;
}

const BOUNDS: FeedbackBounds = { rows: 5000, bytes: 4 * 1024 * 1024, ofClient: 100 };

/** Feedback on links, in a file of its own. Its calls throw StoreError. */
export interface FeedbackQueue extends Disposable {
  /** Takes some up; where there is no room, what was settled goes first. */
  take(given: NewFeedback): Taken;
  /** The newest of a state, or of all. */
  newest(state: FeedbackState | null, limit: number): readonly KeptFeedback[];
  find(id: number): KeptFeedback | null;
  /** Settles what waits; false where nothing does under this id. */
  settle(id: number, as: Exclude<FeedbackState, 'waiting'>, entry: string | null): boolean;
  counts(): Readonly<Record<FeedbackState, number>>;
  /** What was accepted on checks. */
  judged(): readonly JudgedFeedback[];
  /** Removes what came before a moment; how many. */
  forget(beforeMs: number): number;
  /** Removes what a deletion from the history means; how many. */
  remove(meant: Deletable): number;
}

const MIGRATIONS = [{ name: '0000_feedback', sql: feedbackSql }];

/** What keeps feedback, and by which time. */
export interface OpenFeedback {
  readonly dataDir: string;
  readonly now: () => number;
  readonly bounds?: FeedbackBounds;
}

/** Where the feedback of a data directory lies. */
export function feedbackFileIn(dataDir: string): string {
  return `${dataDir}/feedback.sqlite`;
}

/** Whether anybody ever gave any. */
export function hasFeedback(dataDir: string): boolean {
  return existsSync(feedbackFileIn(dataDir));
}

/**
 * Opens the feedback of a data directory; the file is made where it is missing. Several processes may.
 *
 * @throws StoreError with the code of its fault
 */
export function openFeedback({ dataDir, now, bounds = BOUNDS }: OpenFeedback): FeedbackQueue {
  const path = feedbackFileIn(dataDir);
  createLog(path, now(), MIGRATIONS);
  const database = openDatabase(path);
  const db = drizzle(database);

  const writing = <T>(write: () => T): T => {
    try {
      const written = database.transaction(write).immediate();
      // Rows are few, and no trace of one that has gone is to stay.
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
  const removeWhere = removerOf(db);
  const takeNow = takerInto(db, bounds, removeWhere);

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
    counts: () =>
      reading(() => {
        const rows = db.select({ state: feedback.state, rows: count() }).from(feedback).groupBy(feedback.state).all();
        const [waiting = 0, accepted = 0, rejected = 0] = FEEDBACK_STATES.map(
          (state) => rows.find((row) => row.state === state)?.rows ?? 0,
        );
        return { waiting, accepted, rejected };
      }),
    judged: () =>
      reading(() =>
        db
          .select()
          .from(feedback)
          .where(eq(feedback.state, 'accepted'))
          .all()
          .flatMap(({ verdict, probability, modelVersion }) =>
            probability === null || modelVersion === null ? [] : [{ verdict, probability, modelVersion }],
          ),
      ),
    forget: (beforeMs) => writing(() => removeWhere(lt(feedback.receivedAtMs, beforeMs))),
    remove: (meant) => writing(() => removeWhere(meantBy(meant))),
    [Symbol.dispose]: () => database.close(),
  };
}

type Db = ReturnType<typeof drizzle>;
type Remover = (condition: SQL | undefined) => number;

function removerOf(db: Db): Remover {
  return (condition) => db.delete(feedback).where(condition).returning({ id: feedback.id }).all().length;
}

/** Takes feedback up within the bounds. */
function takerInto(db: Db, bounds: FeedbackBounds, removeWhere: Remover): (given: NewFeedback) => Taken {
  function hasRoomFor(bytes: number): boolean {
    const [held] = db
      .select({ rows: count(), bytes: sum(feedback.bytes).mapWith(Number) })
      .from(feedback)
      .all();
    return (held?.rows ?? 0) < bounds.rows && (held?.bytes ?? 0) + bytes <= bounds.bytes;
  }

  /** The settled one that came first goes; false where there is none. */
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

function meantBy({ by, wanted }: Deletable): SQL | undefined {
  switch (by) {
    case 'id':
      return eq(feedback.requestId, wanted);
    case 'before':
      return lt(feedback.receivedAtMs, Date.parse(wanted));
    case 'domain':
      return sql`(${feedback.host} = ${wanted} or substr(${feedback.host}, -length(${wanted}) - 1) = '.' || ${wanted})`;
  }
}
