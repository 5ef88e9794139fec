import { expect, test } from 'bun:test';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
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

test('a client that accepts events gets each stage as it happens, then the result', async () => {
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
  expect(events.map(({ event }) => event)).toEqual(['stage', 'stage', 'signature', 'result']);
  expect(events[0]?.data).toEqual({ stage: 'observe', state: 'started', elapsed_seconds: 0 });
  expect(events[3]?.data).toMatchObject({ decision: 'warn', request_id: response.headers.get('x-request-id') });
});

test('a check that cannot finish ends its stream with a problem that reveals nothing about the fault', async () => {
  const errors = [new UnavailableError('log_unavailable', 'The log cannot be kept.', 5), new Error('/etc/secret')];
  await using server = startServer({ check: () => Promise.reject(errors.shift()) });
  const full = eventsOf(await (await server.check({ url: 'http://example.com/' }, EVENTS)).text());
  expect(full).toEqual([{ event: 'problem', data: expect.objectContaining({ status: 503 }) }]);
  const fault = await server.check({ url: 'http://example.com/' }, EVENTS);
  const text = await fault.text();
  expect(eventsOf(text)).toEqual([{ event: 'problem', data: expect.objectContaining({ status: 500 }) }]);
  expect(text).not.toContain('secret');
  expect(JSON.parse(server.log.at(-1) ?? '').request_id).toBe(fault.headers.get('x-request-id'));
});

test('a request that is refused before the check starts gets an ordinary problem', async () => {
  await using server = startServer();
  const response = await server.check({ url: 'nonsense' }, EVENTS);
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
});

test('a client that disconnects does not stop its check', async () => {
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

test('the stream route sends events whatever the client accepts, and shares the limit of checks', async () => {
  await using server = startServer({ settings: { rate_limit: 2 } });
  for (const accept of ['text/event-stream', 'application/json']) {
    const response = await fetch(`${server.url}/api/check-url/stream`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: accept },
      body: JSON.stringify({ url: 'http://example.com/', private_mode: true }),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(eventsOf(await response.text()).map(({ event }) => event)).toEqual(['signature', 'result']);
  }
  expect(server.requests.map(({ visibility }) => visibility)).toEqual(['private', 'private']);
  // It is the same operation: what it admits counts for the other.
  expect((await server.check({ url: 'http://example.com/' })).status).toBe(429);
});

test('the check route sends events only to a client that prefers them to JSON', async () => {
  await using server = startServer();
  const asked = {
    'text/event-stream': true,
    'text/event-stream;q=0.9': true,
    'TEXT/Event-Stream': true,
    'text/event-stream, */*;q=0.1': true,
    'text/event-stream, application/json': true,
    'text/event-stream, application/json;q=0.9': true,
    'application/json;q=0, */*': true,
    '*/*': false,
    'application/*': false,
    'application/json': false,
    'application/json, text/event-stream': false,
    'application/json, text/plain, */*': false,
    'text/event-stream;q=0.5, application/json': false,
    'text/event-stream;q=0.5, */*': false,
    'text/event-stream;q=0': false,
    'text/event-stream;q=0.0, */*': false,
    'text/event-streams': false,
    'image/png': false,
    ',;q=': false,
  };
  for (const [accept, wantsEvents] of Object.entries(asked)) {
    const { headers } = await server.check({ url: 'http://example.com/' }, { Accept: accept });
    const expected = wantsEvents ? 'text/event-stream' : 'application/json';
    expect([accept, headers.get('content-type')]).toEqual([accept, expected]);
    expect(headers.get('vary')).toContain('accept');
  }
});
