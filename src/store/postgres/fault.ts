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
  if (error instanceof UnresolvedError) return UNREACHED;
  const cause = withoutStatement(error);
  if (!(cause instanceof Error) || cause.name !== 'PostgresError') return null;
  const state = 'errno' in cause && typeof cause.errno === 'string' ? cause.errno : '';
  return FAULTS.find(([states]) => states.test(state))?.[1] ?? UNREACHED;
}

/** Drizzle quotes the values of a statement that failed, which belong into no log. */
export function withoutStatement(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}
