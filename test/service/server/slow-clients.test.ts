import { expect, test } from 'bun:test';
import { makeKey } from '#src/admin/keys/api-key.ts';
import { CLIENT_VECTORS, withNames } from '#test/support/client-vectors.ts';
import { timed } from '#test/support/loop-time.ts';
import { NO_OPERATIONS } from './no-operations.ts';
import { NO_STATS, startServer } from './running-server.ts';

const NO_SUMMARY = {
  checks: { allow: 0, warn: 0, block: 0 },
  ...{ first_at: null, last_at: null, days: [], counted_back_to: null },
};

/** Ends once the server closes a connection that begins with `prefix` and then drips, or says nothing more. */
async function untilClosed(port: number, prefix: string, dripEveryMs: number): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (open) => {
        open.write(prefix);
      },
      data() {},
      close: () => closed.resolve(),
      error: () => closed.resolve(),
    },
  });
  const drip = dripEveryMs > 0 ? setInterval(() => socket.write('a'), dripEveryMs) : undefined;
  await closed.promise;
  clearInterval(drip);
}

// Each of them waits for a time-out of the platform, so they wait together.
test.concurrent.each(CLIENT_VECTORS.flatMap(({ id, slow, expect }) => (slow ? [{ id, slow, expect }] : [])))(
  'api-client vector $id is disconnected in time',
  async ({ slow, expect: { closedWithinSeconds = 0 } }) => {
    const items = Array.from({ length: 500 }, () => ({
      request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b',
      url: `http://example.com/${'a'.repeat(8000)}`,
      malicious_probability: 0.5,
      decision: 'warn' as const,
      coverage: 'url_only' as const,
      caution: false,
      via: null,
      decided_by: null,
      reasons: [],
      model_version: 'test',
      timestamp: '2026-01-31T12:00:00.000Z',
    }));
    await using server = startServer({ history: () => Promise.resolve({ items, next_cursor: null }) });
    const prefix = withNames(slow.prefix, server.port);
    const { loopMs } = await timed(() =>
      slow.readBytesPerSecond === undefined
        ? untilClosed(server.port, prefix, slow.dripEveryMs ?? 0)
        : untilLetGo(server, prefix),
    );
    expect(loopMs).toBeLessThan(closedWithinSeconds * 1000);
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    expect(server.log).toEqual([]);
  },
);

/** Ends once the server holds nothing more for a client that asks and does not read the answer. */
async function untilLetGo(server: { readonly port: number; pendingRequests(): number }, prefix: string): Promise<void> {
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port,
    socket: {
      open: (open) => {
        open.pause();
        open.write(prefix);
      },
      data() {},
    },
  });
  while (server.pendingRequests() === 0) await Bun.sleep(10);
  while (server.pendingRequests() > 0) await Bun.sleep(100);
  socket.end();
}

test.concurrent('an answer that takes longer than the idle timeout is returned', async () => {
  const slow = <T>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, 12_000, value));
  const key = makeKey({ name: 'desk', scopes: ['admin'], limit: null, expires_at: null }, 0).key;
  await using server = startServer({
    keys: { find: () => key },
    history: () => slow({ items: [], next_cursor: null }),
    walk: () => slow({ items: [], next_cursor: 'here' }),
    historySummary: () => slow(NO_SUMMARY),
    stats: () => slow(NO_STATS),
    feeds: { isOn: () => true, pull: () => slow(null), onPulled: () => {} },
    operations: { ...NO_OPERATIONS, gate: { ...NO_OPERATIONS.gate, report: () => slow(null) } },
  });
  const paths = ['/api/history', '/api/history?after=&wait=0', '/api/history/summary', '/api/stats'];
  const answers = [...paths, '/api/admin/gate', '/feeds/rpz'].map(async (path) => {
    const response = await fetch(`${server.url}${path}`, { headers: { authorization: 'Bearer lck_desk' } });
    return [path, response.status];
  });
  expect(await Promise.all(answers)).toEqual([
    ...[...paths, '/api/admin/gate'].map((path) => [path, 200]),
    ['/feeds/rpz', 503],
  ]);
});
