import { expect, test } from 'bun:test';
import { BadCursorError, type HistoryQuery } from '#src/checks/store/scan-log.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { startConsole } from '../session/console-server.ts';

test('the private history is read with its own scope, by the name of the key', async () => {
  const asked: { readonly query: HistoryQuery; readonly by: Actor }[] = [];
  const console = startConsole({
    privateHistory: {
      async page(query, by) {
        asked.push({ query, by });
        if (query.cursor !== null) throw new BadCursorError();
        return { items: [], next_cursor: 'next' };
      },
      messages: async ({ limit }) => ({ items: [], next_cursor: `messages ${limit}` }),
    },
  });
  await using _server = console.server;
  const read = async (query: string, scope: 'history' | 'history.private' = 'history.private') => {
    const headers = { authorization: `Bearer ${console.secretOf(scope)}` };
    const response = await console.send('GET', `/api/history/private${query}`, headers);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  expect(await read('')).toEqual({ status: 200, body: { items: [], next_cursor: 'next' } });
  expect((await read('?kind=message&limit=3')).body).toEqual({ items: [], next_cursor: 'messages 3' });
  await read('?limit=7&decision=block&domain=evil.example&from=2026-01-31');
  const none = {
    cursor: null,
    text: null,
    coverage: null,
    caution: null,
    modelVersion: null,
    via: null,
    list: null,
    entry: null,
    reason: null,
    untilMs: null,
  };
  const by = { key: 'history.private', address: '127.0.0.1' };
  expect(asked).toEqual([
    { query: { ...none, limit: 50, decision: null, domain: null, fromMs: null }, by },
    {
      query: { ...none, limit: 7, decision: 'block', domain: 'evil.example', fromMs: Date.UTC(2026, 0, 31) },
      by,
    },
  ]);
  const { status, body } = await read('?cursor=x');
  expect([status, body.code, body.errors]).toEqual([
    ...[400, 'invalid_parameter'],
    [{ field: 'cursor', message: 'must be a next_cursor of this history' }],
  ]);
  expect((await read('?after=')).body.code).toBe('invalid_parameter');
  expect((await read('', 'history')).status).toBe(403);
  expect(asked).toHaveLength(3);
});

test('a node that cannot read the private log says so, after the key', async () => {
  const console = startConsole({ privateHistory: null });
  await using _server = console.server;
  const codeFor = async (headers: Record<string, string>) =>
    JSON.parse(await (await console.send('GET', '/api/history/private', headers)).text()).code;
  expect(await codeFor({})).toBe('unauthorized');
  expect(await codeFor({ authorization: `Bearer ${console.secretOf('history.private')}` })).toBe('switched_off');
});
