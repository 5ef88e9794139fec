import { expect, test } from 'bun:test';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { readDatabaseUrl } from '#src/checks/store/database-url.ts';
import { LateError } from '#src/parts/postgres/session/fault.ts';
import {
  addressesOf,
  createSession,
  type Session,
  statementTimeout,
  withFailover,
} from '#src/parts/postgres/session/session.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

function urlOf(text: string): DatabaseUrl {
  const url = readDatabaseUrl(text);
  if (typeof url === 'string') throw new Error(url);
  return url;
}

test('a host is resolved with its port if there is a resolver, and the folder of a socket is not', async () => {
  const asked: [string, number][] = [];
  const resolve = (host: string, port: number) => {
    asked.push([host, port]);
    return Promise.resolve(['192.0.2.7', '2001:db8::7']);
  };
  const host = urlOf('postgres://node@db.example:5433/log');
  const socket = urlOf('postgres://node@/log?host=/run/postgresql');
  expect(await addressesOf(host, resolve)).toEqual(['192.0.2.7', '2001:db8::7']);
  expect(await addressesOf(host)).toEqual(['db.example']);
  expect(await addressesOf(socket, resolve)).toEqual(['/run/postgresql']);
  expect(asked).toEqual([['db.example', 5433]]);
});

test('the server cancels a statement before the client gives up', () => {
  expect([1000, 1, 0.1].map(statementTimeout)).toEqual(['800', '1', '1']);
});

test('a read tries each server once, in order, unless the error is not one of the connection', async () => {
  await using directory = temporaryDirectory();
  const prepared: string[] = [];
  const sessionOf = (fault: Error): Session =>
    createSession({
      urls: ['one', 'two', 'three'].map((name) => urlOf(`postgres://node@/${name}?host=${directory.path}`)),
      timeoutMs: 10_000,
      max: 1,
      prepare(_, { database }) {
        prepared.push(database);
        return Promise.reject(fault);
      },
    });
  const read = async (servers: number, fault: Error) => {
    await using session = withFailover(sessionOf(fault), Array(servers).fill(null));
    await expect(session.run(() => Promise.resolve())).rejects.toBe(fault);
    return prepared.splice(0);
  };
  const late = new LateError('late');
  expect(await read(3, late)).toEqual(['one', 'two', 'three']);
  expect(await read(2, late)).toEqual(['one', 'two']);
  expect(await read(1, late)).toEqual(['one']);
  expect(await read(3, new TypeError('a bug'))).toEqual(['one']);
});
