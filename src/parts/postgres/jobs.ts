import { lt, type SQL, sql } from 'drizzle-orm';
import { StoreError } from '#src/checks/store/store-error.ts';
import { pgJobs } from './schema/tables.ts';
import { databaseFaultOf, sqlStateOf } from './session/fault.ts';
import { onPublicPrimary, type PublicPrimary } from './session/public-primary.ts';
import type { DatabaseConnection } from './session/session.ts';

/** Minutes without a renewal after which a leader is replaced; a leader renews each minute. */
const LEASE_MINUTES = 3;

/** A job that one node of a fleet runs at a time known to all. */
export interface DueJob {
  readonly name: string;
  /** Due time, in milliseconds since the Unix epoch. */
  readonly dueAtMs: number;
  /** Name of the requesting node. */
  readonly begunBy: string;
}

/** Takes a job for a node; false if it was taken for that time or a later one. */
export async function takeJob(place: PublicPrimary, { name, dueAtMs, begunBy }: DueJob): Promise<boolean> {
  const dueAt = new Date(dueAtMs);
  return await claim(
    place,
    { name, dueAt: sql`${dueAt.toISOString()}::timestamptz`, begunBy },
    lt(pgJobs.dueAt, dueAt),
  );
}

/**
 * Makes a node the leader of continuous work, or renews that it is; false if another node leads. Nodes of one name count
 * as one.
 */
export async function leadJob(place: PublicPrimary, name: string, nodeName: string): Promise<boolean> {
  const isExpired = lt(pgJobs.dueAt, sql`now() - make_interval(mins => ${LEASE_MINUTES})`);
  const isFree = sql`(${pgJobs.begunBy} = ${nodeName} or ${isExpired})`;
  return await claim(place, { name, dueAt: sql`now()`, begunBy: nodeName }, isFree);
}

/**
 * Writes the row of a job if there is none or it is free. Concurrent nodes are serialized by an advisory lock.
 *
 * @throws StoreError if the database cannot be used
 */
async function claim(
  place: PublicPrimary,
  { name, dueAt, begunBy }: { readonly name: string; readonly dueAt: SQL; readonly begunBy: string },
  isFree: SQL,
): Promise<boolean> {
  const write = ({ db }: DatabaseConnection<unknown>) =>
    db.transaction(async (transaction) => {
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`lurecheck job ${name}`}, 0))`);
      const taken = await transaction
        .insert(pgJobs)
        .values({ name, dueAt, begunBy })
        .onConflictDoUpdate({ target: pgJobs.name, set: { dueAt, begunBy }, setWhere: isFree })
        .returning({ name: pgJobs.name });
      return taken.length > 0;
    });
  try {
    return await onPublicPrimary(place, write);
  } catch (cause) {
    const fault = databaseFaultOf(cause);
    if (!fault) throw cause;
    const problem = `The job ${name} cannot be taken: ${fault.matter} (${sqlStateOf(cause)}).`;
    throw new StoreError('database', problem, { cause });
  }
}
