import { expect, test } from 'bun:test';
import { UnavailableError } from '#src/base/refusal.ts';
import { resultOf, startServer } from './running-server.ts';

const EVENTS = { Accept: 'text/event-stream, application/json' };

function eventsOf(text: string) {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
}

test('a client that asks for events gets each stage as it happens, then the result', async () => {
  const seen = Promise.withResolvers<void>();
  await using server = startServer({
    async check(request) {
      request.onStage?.({ stage: 'observe', state: 'started', elapsed_seconds: 0 });
      await seen.promise;
      request.onStage?.({ stage: 'observe', state: 'finished', elapsed_seconds: 0.5 });
      return { ...resultOf(request), decision: 'warn' };
    },
  });
  const response = await server.check({ url: 'http://example.com/\u2028\n' }, EVENTS);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    seen.resolve();
  }
  const events = eventsOf(text);
  expect(events.map(({ event }) => event)).toEqual(['stage', 'stage', 'result']);
  expect(events[0]?.data).toEqual({ stage: 'observe', state: 'started', elapsed_seconds: 0 });
  expect(events[2]?.data).toMatchObject({ decision: 'warn', request_id: response.headers.get('x-request-id') });
});

test('a check that cannot be finished ends its stream with a problem that tells nothing of a fault', async () => {
  const errors = [new UnavailableError('log_unavailable', 'The log cannot be kept.', 5), new Error('/etc/secret')];
  await using server = startServer({ check: () => Promise.reject(errors.shift()) });
  const full = eventsOf(await (await server.check({ url: 'http://example.com/' }, EVENTS)).text());
  expect(full).toEqual([{ event: 'problem', data: expect.objectContaining({ status: 503 }) }]);
  const fault = await server.check({ url: 'http://example.com/' }, EVENTS);
  const text = await fault.text();
  expect(eventsOf(text)).toEqual([{ event: 'problem', data: expect.objectContaining({ status: 500 }) }]);
  expect(text).not.toContain('secret');
  expect(JSON.parse(server.log[0] ?? '').request_id).toBe(fault.headers.get('x-request-id'));
});

test('what is refused before the check begins is an ordinary problem', async () => {
  await using server = startServer();
  const response = await server.check({ url: 'nonsense' }, EVENTS);
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
});

test('a client that goes away does not stop its check', async () => {
  const finished = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  await using server = startServer({
    async check(request) {
      request.onStage?.({ stage: 'observe', state: 'started', elapsed_seconds: 0 });
      await left.promise;
      request.onStage?.({ stage: 'observe', state: 'finished', elapsed_seconds: 1 });
      finished.resolve();
      return resultOf(request);
    },
  });
  const response = await server.check({ url: 'http://example.com/' }, EVENTS);
  await response.body?.cancel();
  left.resolve();
  await finished.promise;
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  expect(server.log).toEqual([]);
});
