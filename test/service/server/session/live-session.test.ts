import { expect, test } from 'bun:test';
import { createLiveChecks } from '#src/checks/check/live-checks.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLiveStreams } from '#src/parts/console/activity-routes.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { NO_OPERATIONS } from '../no-operations.ts';
import { type Console, startConsole } from './console-server.ts';

/** A console whose live views show the checks that `stored` is given. */
function startLive() {
  const { stored, watch } = createLiveChecks(systemClock);
  const live = createLiveStreams(watch, new AbortController().signal);
  const activity = { ...NO_OPERATIONS.activity, watched: <Logs>(logs: Logs) => logs, live };
  const console = startConsole({ operations: { ...NO_OPERATIONS, activity } });
  return Object.assign(console, { stored });
}

const ENDS: Readonly<Record<string, (console: Console, cookie: string) => unknown>> = {
  'the sign-out': (console, cookie) => console.send('DELETE', '/api/session', { ...console.own, cookie }),
  'the revocation of its key': (console) => console.keys.delete(console.secretOf('history')),
  'half an hour without a request': (console) => {
    console.clock.nowMs += 1_800_000;
  },
};

test.each(Object.keys(ENDS))('the live view of a session ends with %s, without another check', async (name) => {
  const console = startLive();
  await using _server = console.server;
  const { cookie } = await console.signIn('history');
  const response = await console.send('GET', '/api/admin/live', { cookie });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('event: open\ndata: {}\n\n');
  console.stored(sampleRecord({ url: 'http://secret.example/', visibility: 'private' }));
  console.stored(sampleRecord({ url: 'http://open.example/' }));
  expect((await reader?.read())?.value).toContain('http://open.example/');
  await ENDS[name]?.(console, cookie);
  console.stored(sampleRecord({ url: 'http://later.example/' }));
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
});

test('a program watches with its key until that has other rights; HEAD and other scopes open nothing', async () => {
  const console = startLive();
  await using _server = console.server;
  const secret = console.secretOf('history.private');
  const authorization = `Bearer ${secret}`;
  for (let i = 0; i < 9; i++)
    expect((await console.send('HEAD', '/api/admin/live', { authorization })).status).toBe(200);
  const lists = await console.send('GET', '/api/admin/live', { authorization: `Bearer ${console.secretOf('lists')}` });
  expect(lists.status).toBe(403);
  const views = await Promise.all(
    Array.from({ length: 5 }, () => console.send('GET', '/api/admin/live', { authorization })),
  );
  expect(views.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 503]);
  const key = console.keys.get(secret);
  if (key) console.keys.set(secret, { ...key, scopes: ['check'] });
  for (const view of views) if (view.status === 200) expect(await view.text()).toBe('event: open\ndata: {}\n\n');
});
