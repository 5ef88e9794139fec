import { DrizzleQueryError } from 'drizzle-orm';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { type HandshakeFault, handshakeFaultOf } from '#src/core/base/tls/handshake-fault.ts';
import { TurnsEndedError } from '#src/core/base/turns.ts';

/** Why a database, or the connection to it, refused a statement. */
export interface DatabaseFault {
  /** The problem, as the end of a sentence for the public. */
  readonly matter: string;
  /** True if the row is at fault: another may be stored. */
  readonly isOfRow: boolean;
  /** True if the connection is unusable. */
  readonly isOfConnection: boolean;
  /** True if the role lacks a right. */
  readonly lacksRight?: true;
  /** True if only a change of settings helps. */
  readonly isOfSetup?: true;
  /** Remedy for the operator, as a sentence that may name hosts; the public must not see it. */
  readonly remedy?: string;
  /** True if other work may continue on the connection. */
  readonly isAlive?: true;
}

/** A statement timed out. Its outcome is unknown. */
export class LateError extends Error {
  override readonly name = 'LateError';
}

/** The server is a read-only standby. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';
}

/** The server is a former primary: another one was promoted and has checks that it lacks. */
export class OutdatedServerError extends Error {
  override readonly name = 'OutdatedServerError';
}

/** The clock of the server is wrong, which the message says as the end of a sentence. */
export class DatabaseClockError extends Error {
  override readonly name = 'DatabaseClockError';
}

/** The connection's settings did not reach the server, and other connections may share it. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';
}

/** The certificate of a server is not accepted. */
export class ServerCertificateError extends Error {
  override readonly name = 'ServerCertificateError';
  readonly remedy: string;

  constructor({ host, port }: Pick<DatabaseUrl, 'host' | 'port'>, { matter, remedy }: HandshakeFault, cause: unknown) {
    super(`the certificate of ${host}:${port} ${matter}`, { cause });
    this.remedy = `${remedy} The server is ${host}:${port}.`;
  }
}

/** A connection could not be prepared. Whatever the cause, no row is at fault. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';

  constructor(cause: unknown) {
    super('the connection to the database could not be prepared', { cause });
  }
}

/** The host name of a server cannot be resolved. */
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
  remedy: 'Name the server that took its place, and make this one a standby: lurecheck help fleet.',
};

/** PgBouncer refuses this program's connection settings (https://www.pgbouncer.org/config.html). */
const POOLED: DatabaseFault = {
  matter: 'a connection pooler is in front of the database: name the PostgreSQL server itself',
  isOfRow: false,
  isOfConnection: true,
  isOfSetup: true,
};

const STARTING: DatabaseFault = { matter: 'the database starts or stops', isOfRow: false, isOfConnection: true };

/** Faults by SQLSTATE (PostgreSQL's appendix A); the first match applies. */
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
  [/^57/, STARTING],
];

const UNREACHED: DatabaseFault = {
  matter: 'the database cannot be reached',
  isOfRow: false,
  isOfConnection: true,
};

const WITHOUT_TLS: DatabaseFault = {
  ...UNREACHED,
  matter: 'the database server does not offer TLS',
  remedy: 'Set ssl = on there, with a certificate: lurecheck help fleet.',
};

const CORRECT_CLOCK = 'Correct the clock of the database server; the nodes then write what they have spooled.';

const LATE: DatabaseFault = { matter: 'the database does not answer', isOfRow: false, isOfConnection: true };

/** Returns the fault behind an error of a database; null for any other error. */
export function databaseFaultOf(error: unknown): DatabaseFault | null {
  if (error instanceof LateError || error instanceof TurnsEndedError) return LATE;
  if (error instanceof StandbyError) return STANDBY;
  if (error instanceof OutdatedServerError) return OUTDATED;
  if (error instanceof DatabaseClockError) return { ...UNREACHED, matter: error.message, remedy: CORRECT_CLOCK };
  if (error instanceof PoolerError) return POOLED;
  if (error instanceof UnresolvedError) return UNREACHED;
  if (error instanceof NotReadyError) {
    const fault = databaseFaultOf(error.cause);
    return fault?.isOfRow === true
      ? { ...fault, matter: 'the database does not take this node', isOfRow: false }
      : fault;
  }
  const cause = withoutStatement(error);
  const certificate = handshakeFaultOf(cause instanceof ServerCertificateError ? cause.cause : cause);
  if (certificate) {
    const remedy = cause instanceof ServerCertificateError ? cause.remedy : certificate.remedy;
    return { ...UNREACHED, matter: `the certificate of the database server ${certificate.matter}`, remedy };
  }
  if (!(cause instanceof Error) || cause.name !== 'PostgresError') return null;
  if ('code' in cause && cause.code === 'ERR_POSTGRES_TLS_NOT_AVAILABLE') return WITHOUT_TLS;
  if (POOLER_REFUSAL.test(cause.message)) return POOLED;
  const state = 'errno' in cause && typeof cause.errno === 'string' ? cause.errno : '';
  return FAULTS.find(([states]) => states.test(state))?.[1] ?? UNREACHED;
}

/** Returns true if the server did not answer, so that nothing is known of what it accepts. */
export function isAway(fault: DatabaseFault): boolean {
  return [UNREACHED, LATE].includes(fault) || fault.matter === STARTING.matter;
}

/** Returns the end of a sentence on a fault, with what to do, for the operator. */
export function faultSentence({ matter, remedy }: DatabaseFault): string {
  return remedy === undefined ? `${matter}.` : `${matter}. ${remedy}`;
}

const POOLER_REFUSAL = /unsupported startup parameter/;

/** Returns the cause of Drizzle's error, which quotes values that must not be logged. */
export function withoutStatement(error: unknown): unknown {
  return error instanceof DrizzleQueryError || error instanceof NotReadyError ? withoutStatement(error.cause) : error;
}

/**
 * Returns the SQLSTATE or the driver's code of an error or its innermost cause, which quote nothing. Of an error with
 * neither, returns the name of its class; null for a plain Error.
 */
export function sqlStateOf(error: unknown): string | null {
  const cause = withoutStatement(error);
  if (!(cause instanceof Error)) return null;
  if ('errno' in cause && typeof cause.errno === 'string') return cause.errno;
  if (cause.cause instanceof Error) return sqlStateOf(cause.cause);
  if ('code' in cause) return String(cause.code);
  return cause.name === 'Error' ? null : cause.name;
}
