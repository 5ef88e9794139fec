import { expect, test } from 'bun:test';
import { DrizzleQueryError } from 'drizzle-orm';
import {
  type DatabaseFault,
  databaseFaultOf,
  LateError,
  NotReadyError,
  OutdatedServerError,
  PoolerError,
  StandbyError,
  sqlStateOf,
  UnresolvedError,
} from '#src/parts/postgres/session/fault.ts';

/** An error as the driver throws it. */
function postgresError(errno: string | undefined, message = 'x'): Error {
  return Object.assign(new Error(message), { name: 'PostgresError', errno, code: 'ERR_POSTGRES_SERVER_ERROR' });
}

const NOTHING_ELSE = { isOfRow: false, isOfConnection: false };
const OF_ROW = { ...NOTHING_ELSE, isOfRow: true };
const OF_CONNECTION = { ...NOTHING_ELSE, isOfConnection: true };

test.each<[string, string, Omit<DatabaseFault, 'matter'>]>([
  ['22021', 'the database does not take it', OF_ROW],
  ['23514', 'the database does not take it', OF_ROW],
  ['25006', 'the database is a standby', { ...OF_CONNECTION, isAlive: true }],
  ['28P01', 'the database refuses the role of this service', OF_CONNECTION],
  ['42501', 'the role of this service lacks a right', { ...NOTHING_ELSE, lacksRight: true }],
  ['3D000', 'there is no such database', OF_CONNECTION],
  ['42P01', 'the database has not the tables of lurecheck', NOTHING_ELSE],
  ['53100', "the database's disk is full", NOTHING_ELSE],
  ['53300', 'the database is at its limits', OF_CONNECTION],
  ['40001', 'the database takes too long', NOTHING_ELSE],
  ['55P03', 'the database takes too long', NOTHING_ELSE],
  ['57014', 'the database takes too long', NOTHING_ELSE],
  ['57P01', 'the database starts or stops', OF_CONNECTION],
  ['08006', 'the database cannot be reached', OF_CONNECTION],
  // What ends or begins like another state is none of its class.
  ['P2200', 'the database cannot be reached', OF_CONNECTION],
  ['X2800', 'the database cannot be reached', OF_CONNECTION],
  ['X3D00', 'the database cannot be reached', OF_CONNECTION],
  ['X4200', 'the database cannot be reached', OF_CONNECTION],
  ['X5300', 'the database cannot be reached', OF_CONNECTION],
  ['X5700', 'the database cannot be reached', OF_CONNECTION],
  ['X4000', 'the database cannot be reached', OF_CONNECTION],
  ['', 'the database cannot be reached', OF_CONNECTION],
])('the SQLSTATE %p is reported as: %s', (state, matter, rest) => {
  expect(databaseFaultOf(postgresError(state))).toEqual({ matter, ...rest });
  expect(databaseFaultOf(new DrizzleQueryError('select', ['secret'], postgresError(state)))?.matter).toBe(matter);
});

test('errors of this program report the server, the connection to it, or a pooler in between', () => {
  expect(databaseFaultOf(new LateError())).toEqual({ matter: 'the database does not answer', ...OF_CONNECTION });
  expect(databaseFaultOf(new UnresolvedError())?.matter).toBe('the database cannot be reached');
  expect(databaseFaultOf(new StandbyError())).toMatchObject({ matter: 'the database is a standby', isAlive: true });
  expect(databaseFaultOf(new OutdatedServerError())).toMatchObject({
    matter: 'the database is a former primary, and another server has taken its place',
    ...OF_CONNECTION,
  });
  const pooled = {
    matter: 'a connection pooler is in front of the database: name the PostgreSQL server itself',
    ...OF_CONNECTION,
    isOfSetup: true,
  } as const;
  expect(databaseFaultOf(new PoolerError())).toEqual(pooled);
  expect(databaseFaultOf(postgresError('08P01', 'unsupported startup parameter: x'))).toEqual(pooled);
  expect(databaseFaultOf(postgresError(undefined))?.matter).toBe('the database cannot be reached');
});

test('an error while a connection is prepared is not attributed to a row', () => {
  expect(databaseFaultOf(new NotReadyError(postgresError('23514')))).toEqual({
    matter: 'the database does not take this node',
    ...NOTHING_ELSE,
  });
  expect(databaseFaultOf(new NotReadyError(postgresError('57P01')))?.matter).toBe('the database starts or stops');
  expect(databaseFaultOf(new NotReadyError(new Error('x')))).toBeNull();
});

test('other errors are not errors of a database', () => {
  for (const error of [new Error('x'), new TypeError('unsupported startup parameter'), 'text', null])
    expect(databaseFaultOf(error)).toBeNull();
});

test('the SQLSTATE of an error is that of its cause, without the values of a statement', () => {
  expect(sqlStateOf(new DrizzleQueryError('select', ['secret'], postgresError('23514')))).toBe('23514');
  expect(sqlStateOf(new NotReadyError(postgresError('57P01')))).toBe('57P01');
  expect(sqlStateOf(new Error('x', { cause: postgresError('40001') }))).toBe('40001');
  expect(sqlStateOf(postgresError(undefined))).toBe('ERR_POSTGRES_SERVER_ERROR');
  expect(sqlStateOf(new RangeError('x'))).toBe('RangeError');
  expect(sqlStateOf(new Error('x'))).toBeNull();
  expect(sqlStateOf('text')).toBeNull();
});
