import { and, asc, count, desc, eq, inArray, lt, ne, type SQL, sql, sum } from 'drizzle-orm';
import type { DeletionTarget } from '../deletions/deletion-target.ts';
import { columnsOf, type Queries, type TableOf } from '../read/queries.ts';
import type { feedback } from './feedback-schema.ts';

type Row = typeof feedback.$inferSelect;

/** Writes the queries of feedback, in a file or a database. */
export function feedbackQueries(db: Queries, table: TableOf<Row>) {
  const { id, state, clientHash } = table;
  const rowsWith = (condition: SQL | undefined) => db.select(columnsOf(table)).from(table).where(condition);
  const change = (condition: SQL | undefined, values: Partial<Row>) =>
    db.update(table).set(values).where(condition).returning({ id });
  const remove = (condition: SQL | undefined) => db.delete(table).where(condition).returning({ id });
  return {
    rowsWith,
    remove,
    newest: (which: Row['state'] | null, limit: number) =>
      rowsWith(which === null ? undefined : eq(state, which))
        .orderBy(desc(id))
        .limit(limit),
    find: (place: number) => rowsWith(eq(id, place)).limit(1),
    settle: (place: number, settled: Pick<Row, 'state' | 'entry' | 'settledAtMs'>) =>
      change(and(eq(id, place), eq(state, 'waiting')), settled),
    reopen: (place: number) =>
      change(and(eq(id, place), ne(state, 'waiting')), { state: 'waiting', entry: null, settledAtMs: null }),
    byState: () => db.select({ state, rows: count() }).from(table).groupBy(state),
    accepted: () => rowsWith(eq(state, 'accepted')),
    /** Counts the unreviewed feedback of a client. */
    waitingOf: (hash: Buffer) =>
      db
        .select({ rows: count() })
        .from(table)
        .where(and(eq(state, 'waiting'), eq(clientHash, hash))),
    size: () => db.select({ rows: count(), bytes: sum(table.bytes).mapWith(Number) }).from(table),
    /** Removes the oldest settled feedback. */
    makeRoom: () =>
      remove(inArray(id, db.select({ id }).from(table).where(ne(state, 'waiting')).orderBy(asc(id)).limit(1))),
    removeOf: (meant: DeletionTarget) => remove(feedbackOf(table, meant)),
    removeBefore: (ms: number) => remove(lt(table.receivedAtMs, ms)),
  };
}

/** Returns true if the bounds have room for feedback of so many bytes. */
export function hasRoom(
  [size]: readonly { readonly rows: number; readonly bytes: number | null }[],
  bytes: number,
  bounds: Readonly<Record<'rows' | 'bytes', number>>,
): boolean {
  return (size?.rows ?? 0) < bounds.rows && (size?.bytes ?? 0) + bytes <= bounds.bytes;
}

/** Returns the number of rows by state. */
export function countsOf(rows: readonly { readonly state: Row['state']; readonly rows: number }[]) {
  return { waiting: 0, accepted: 0, rejected: 0, ...Object.fromEntries(rows.map((row) => [row.state, row.rows])) };
}

/** Returns the accepted feedback on checks among accepted rows. */
export function acceptedOnChecks(rows: readonly Row[]) {
  return rows.flatMap(({ verdict, probability, modelVersion }) =>
    probability === null || modelVersion === null ? [] : [{ verdict, probability, modelVersion }],
  );
}

/** Returns the condition for the feedback that a deletion from the history includes. */
function feedbackOf({ requestId, receivedAtMs, host }: TableOf<Row>, { by, wanted }: DeletionTarget) {
  switch (by) {
    case 'id':
      return eq(requestId, wanted);
    case 'before':
      return lt(receivedAtMs, Date.parse(wanted));
    case 'domain':
      return sql`(${host} = ${wanted} or substr(${host}, length(${host}) - length(${wanted})) = '.' || ${wanted})`;
  }
}
