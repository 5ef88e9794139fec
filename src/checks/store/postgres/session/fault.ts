import { DrizzleQueryError } from 'drizzle-orm';

/** What a database, or the way to it, has against a statement. */
export interface DatabaseFault {
  /** As the end of a sentence that everybody may read. */
  readonly matter: string;
  /** Whether it is the row that cannot be kept: another may. */
  readonly isOfRow: boolean;
  /** Whether the connection is of no more use. */
  readonly isOfConnection: boolean;
  /** Whether the role that asks lacks a right. */
  readonly lacksRight?: true;
  /** Whether it stays so until the operator changes the settings. */
  readonly isOfSetup?: true;
  /** Whether all the same others can go on over it. */
  readonly isAlive?: true;
}

/** A statement was not answered in time. What came of it is not known. */
export class LateError extends Error {
  override readonly name = 'LateError';
}

/** The server is a standby, which takes nothing. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';
}

/** The server was the primary once. Another has been promoted since, and has checks that this one lacks. */
export class OutdatedServerError extends Error {
  override readonly name = 'OutdatedServerError';
}

/** What was set for a connection did not reach the server, and other connections may share it. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';
}

/** A connection could not be prepared for its use. Whatever the cause says, no row is at fault. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';

  constructor(cause: unknown) {
    super('the connection to the database could not be prepared', { cause });
  }
}

/** The name of a server leads nowhere. */
export class UnresolvedError extends Error {
  override readonly name = 'UnresolvedError';
}

const STANDBY: DatabaseFault = {
  matter: 'the database is a standby',
  isOfRow: false,
  isOfConnection: true,
  isAlive: true,
};

const OUTDATED: DatabaseFault = {
  matter: 'the database is a former primary, and another server has taken its place',
  isOfRow: false,
  isOfConnection: true,
};

/** A PgBouncer refuses what this program sets for a connection (https://www.pgbouncer.org/config.html). */
const POOLED: DatabaseFault = {
  matter: 'a connection pooler is in front of the database: name the PostgreSQL server itself',
  isOfRow: false,
  isOfConnection: true,
  isOfSetup: true,
};

/** By SQLSTATE (PostgreSQL's appendix A); the first that matches holds. */
const FAULTS: readonly (readonly [states: RegExp, fault: DatabaseFault])[] = [
  [/^2[23]/, { matter: 'the database does not take it', isOfRow: true, isOfConnection: false }],
  [/^25006$/, STANDBY],
  [/^28/, { matter: 'the database refuses the role of this service', isOfRow: false, isOfConnection: true }],
  [
    /^42501$/,
    { matter: 'the role of this service lacks a right', isOfRow: false, isOfConnection: false, lacksRight: true },
  ],
  [/^3D/, { matter: 'there is no such database', isOfRow: false, isOfConnection: true }],
  [/^42/, { matter: 'the database has not the tables of lurecheck', isOfRow: false, isOfConnection: false }],
  [/^53100$/, { matter: "the database's disk is full", isOfRow: false, isOfConnection: false }],
  [/^53/, { matter: 'the database is at its limits', isOfRow: false, isOfConnection: true }],
  [/^(40|55P03|57014)/, { matter: 'the database takes too long', isOfRow: false, isOfConnection: false }],
  [/^57/, { matter: 'the database starts or stops', isOfRow: false, isOfConnection: true }],
];

const UNREACHED: DatabaseFault = {
  matter: 'the database cannot be reached',
  isOfRow: false,
  isOfConnection: true,
};

const LATE: DatabaseFault = { matter: 'the database does not answer', isOfRow: false, isOfConnection: true };

/** What an error of a database says; null where it is another. */
export function databaseFaultOf(error: unknown): DatabaseFault | null {
  if (error instanceof LateError) return LATE;
  if (error instanceof StandbyError) return STANDBY;
  if (error instanceof OutdatedServerError) return OUTDATED;
  if (error instanceof PoolerError) return POOLED;
  if (error instanceof UnresolvedError) return UNREACHED;
  if (error instanceof NotReadyError) {
    const fault = databaseFaultOf(error.cause);
    return fault?.isOfRow === true
      ? { ...fault, matter: 'the database does not take this node', isOfRow: false }
      : fault;
  }
  const cause = withoutStatement(error);
  if (!(cause instanceof Error) || cause.name !== 'PostgresError') return null;
  if (POOLER_REFUSAL.test(cause.message)) return POOLED;
  const state = 'errno' in cause && typeof cause.errno === 'string' ? cause.errno : '';
  return FAULTS.find(([states]) => states.test(state))?.[1] ?? UNREACHED;
}

const POOLER_REFUSAL = /unsupported startup parameter/;

/** Drizzle quotes the values of a statement that failed, which belong into no log. */
export function withoutStatement(error: unknown): unknown {
  return error instanceof DrizzleQueryError || error instanceof NotReadyError ? withoutStatement(error.cause) : error;
}

/** The SQLSTATE or the driver's code of an error, which quote nothing; null where it has neither. */
export function sqlStateOf(error: unknown): string | null {
  const cause = withoutStatement(error);
  if (!(cause instanceof Error)) return null;
  if ('errno' in cause && typeof cause.errno === 'string') return cause.errno;
  return 'code' in cause ? String(cause.code) : cause.name;
}
