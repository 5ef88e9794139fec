import { expect, test } from 'bun:test';
import { runLoad } from './load.ts';
import { quantileOf } from './statistics.ts';

const load = { path: '/', connections: 4, requests: 40, perSecond: null, body: (n: number) => JSON.stringify({ n }) };

test('sends every request once, and reads every response completely', async () => {
  const seen: number[] = [];
  const padding = 'x'.repeat(300_000);
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { n } = (await request.json()) as { n: number };
      seen.push(n);
      return new Response(padding);
    },
  });
  const { delaysMs } = await runLoad({ ...load, port: server.port ?? 0 });
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  expect(delaysMs.every((delay, i) => delay > 0 && delay >= (delaysMs[i - 1] ?? 0))).toBe(true);
});

test('a stalled server delays all requests that are due meanwhile, including those not yet sent', async () => {
  const answered = Promise.withResolvers<void>();
  let asked = 0;
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      // The first requests take all connections, and are answered when the last one has fallen due.
      if (asked++ < load.connections) await answered.promise;
      return new Response('');
    },
  });
  const perSecond = 1000;
  setTimeout(answered.resolve, (load.requests / perSecond) * 1000 * 2);
  const { delaysMs } = await runLoad({ ...load, port: server.port ?? 0, perSecond });
  expect(quantileOf(delaysMs, 0)).toBeGreaterThanOrEqual(39);
});

test('any status other than 200 ends a load', async () => {
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('too many', { status: 429 }),
  });
  await expect(runLoad({ ...load, port: server.port ?? 0 })).rejects.toThrow('429');
});
