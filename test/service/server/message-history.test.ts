import { expect, test } from 'bun:test';
import type { MessageItem } from '#src/checks/record/message-record.ts';
import { type MessagePageQuery, messageEntry, storedMessageOf } from '#src/checks/store/messages/stored-message.ts';
import { BadCursorError } from '#src/checks/store/scan-log.ts';
import { sampleMessage } from '#test/support/sample-message.ts';
import { NO_OPERATIONS } from './no-operations.ts';
import { startServer } from './running-server.ts';
import { startConsole } from './session/console-server.ts';

const ITEM: MessageItem = messageEntry({
  ...storedMessageOf(sampleMessage(), () => Buffer.alloc(32)),
  ...{ modelVersion: 'message-1', isUndelivered: false },
}).message;

const DEFAULTS = { limit: 50, cursor: null, decision: null, fromMs: null, untilMs: null };

test('the history of messages is a kind of its own, and that of URLs is the default', async () => {
  const asked: unknown[] = [];
  await using server = startServer({
    history: async () => ({ items: [], next_cursor: 'of urls' }),
    async messages(query) {
      asked.push(query);
      if (query.cursor === 'bad') throw new BadCursorError();
      return { items: [ITEM], next_cursor: null };
    },
  });
  const ask = async (query: string) => {
    const response = await fetch(`${server.url}/api/history${query}`);
    const body = (await response.json()) as {
      items?: object[];
      next_cursor?: string | null;
      errors?: { field: string }[];
    };
    return { status: response.status, body };
  };
  const ofUrls = { status: 200, body: { items: [], next_cursor: 'of urls' } };
  expect([await ask(''), await ask('?kind=url')]).toEqual([ofUrls, ofUrls]);
  expect(await ask('?kind=message')).toEqual({ status: 200, body: { items: [ITEM], next_cursor: null } });
  await ask('?kind=message&limit=7&decision=block&from=1970-01-02&until=1970-01-03&cursor=bad');
  const DAY_MS = 86_400_000;
  expect(asked).toEqual([
    DEFAULTS,
    { limit: 7, decision: 'block', cursor: 'bad', fromMs: DAY_MS, untilMs: 2 * DAY_MS },
  ]);
  const refusedFields = async (query: string) => {
    const { status, body } = await ask(query);
    return [status, body.errors?.map(({ field }) => field)];
  };
  expect(await refusedFields('?kind=mail')).toEqual([400, ['kind']]);
  expect(await refusedFields('?kind=message&cursor=bad')).toEqual([400, ['cursor']]);
  expect(await refusedFields('?kind=message&domain=example.com&q=x&via=api')).toEqual([400, ['domain', 'q', 'via']]);
  expect(await refusedFields('?kind=message&after=')).toEqual([400, ['after']]);
});

test('the public history of messages is off with that of URLs', async () => {
  await using server = startServer({ settings: { public_history: false }, messages: () => Promise.reject() });
  expect((await fetch(`${server.url}/api/history?kind=message`)).status).toBe(404);
});

test('the console and keys read messages of both logs, and one by its id', async () => {
  const asked: [log: string, query: MessagePageQuery][] = [];
  const page = async (log: string, query: MessagePageQuery) => {
    asked.push([log, query]);
    return { items: [ITEM], next_cursor: null };
  };
  const console = startConsole({
    privateHistory: {
      page: () => Promise.reject(),
      messages: (query) => page('private', query),
    },
    operations: {
      ...NO_OPERATIONS,
      checks: {
        ...NO_OPERATIONS.checks,
        messagePage: (visibility, query) => page(`console ${visibility}`, query),
        find: async () => null,
        findMessage: async (visibility, requestId) =>
          visibility === 'private' && requestId === ITEM.request_id
            ? { message: ITEM, clientHash: 'ab', isDelivered: false }
            : null,
      },
    },
  });
  await using _server = console.server;
  const headers = { authorization: `Bearer ${console.secretOf('history.private')}` };
  const read = async (path: string) => {
    const response = await console.send('GET', path, headers);
    return [response.status, JSON.parse(await response.text())];
  };
  const onePage = [200, { items: [ITEM], next_cursor: null }];
  expect(await read('/api/history/private?kind=message')).toEqual(onePage);
  expect(await read('/api/admin/checks?visibility=private&kind=message')).toEqual(onePage);
  expect(asked).toEqual([
    ['private', DEFAULTS],
    ['console private', DEFAULTS],
  ]);
  expect(await read(`/api/admin/checks/${ITEM.request_id}`)).toEqual([
    200,
    { visibility: 'private', client: 'ab', delivered: false, message: ITEM, unreadable: null },
  ]);
  expect((await read('/api/admin/checks/019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b'))[0]).toBe(404);
});
