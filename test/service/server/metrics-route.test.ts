import { expect, test } from 'bun:test';
import { tcpPeer } from '#src/core/base/addresses/client-address.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createAdminServer } from '#src/service/server/admin-app.ts';
import type { MetricsParts } from '#src/service/server/metrics-route.ts';
import { startConsole } from './session/console-server.ts';

const METRICS: MetricsParts = {
  mediaTypes: ['text/plain; version=0.0.4', 'application/openmetrics-text; version=1.0.0'],
  text: async (mediaType) => `# ${mediaType}\n`,
};

test('metrics are for keys with their scope, in the format that the client prefers', async () => {
  const console = startConsole({ metrics: async () => METRICS });
  await using _server = console.server;
  const read = async (headers: Record<string, string>) => await console.send('GET', '/metrics', headers);
  const key = { authorization: `Bearer ${console.secretOf('metrics')}` };
  for (const [accept, type] of [
    ['*/*', METRICS.mediaTypes[0]],
    ['application/json', METRICS.mediaTypes[0]],
    ['application/openmetrics-text; version=1.0.0, text/plain;q=0.5', METRICS.mediaTypes[1]],
  ] as const) {
    const response = await read({ ...key, accept });
    const { status, headers } = response;
    expect([accept, status, headers.get('content-type'), headers.get('vary')]).toEqual([
      accept,
      200,
      type ?? '',
      'accept',
    ]);
    expect(await response.text()).toBe(`# ${type}\n`);
  }
  const statuses = [{}, { authorization: `Bearer ${console.secretOf('stats')}` }, { ...key, host: 'evil.example' }];
  expect(await Promise.all(statuses.map(async (headers) => (await read(headers)).status))).toEqual([401, 403, 421]);
});

test("the operator's listener shows metrics and health without a key, and nothing else", async () => {
  const parts = { metrics: METRICS, peerOf: tcpPeer, machineNames: ['box'], clock: systemClock };
  const logger = createLogger('error', () => {});
  const readiness = async () => ({ problem: null, notices: [], conditions: [], parts: [] });
  const app = createAdminServer({ ...parts, readiness, logger }).listen({ hostname: '127.0.0.1', port: 0 });
  try {
    const statusOf = async (path: string, headers = {}) =>
      (await fetch(`http://127.0.0.1:${app.server?.port}${path}`, { headers })).status;
    expect(await statusOf('/metrics')).toBe(200);
    expect(await statusOf('/metrics', { host: 'box' })).toBe(200);
    expect(await statusOf('/metrics', { host: 'evil.example' })).toBe(421);
    expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 200]);
    expect([await statusOf('/'), await statusOf('/api/history')]).toEqual([404, 404]);
  } finally {
    await app.stop(true);
  }
});
