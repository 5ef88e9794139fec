import { expect, test } from 'bun:test';
import { runOnSmallDisk } from './small-disk.ts';

test.each([
  ['to the last byte', 0, ['opened', 'disk_full']],
  ['down to its reserve', 512 * 1024, ['opened']],
])(
  'a disk that is full %s refuses checks, loses none, and recovers by itself',
  async (_, reserveBytes, restarts) => {
    const report = await runOnSmallDisk('full-disk-inside.ts', '3m', [String(reserveBytes)]);
    expect(report).toMatchObject({
      missingWhileFull: 0,
      missing: 0,
      missingAfterRestart: 0,
      notices: [],
      pageWhileFull: 50,
      refusals: ['log_unavailable'],
    });
    expect(restarts).toContain(String(report['restartOnFullDisk']));
    expect(report['first']).toBeGreaterThan(50);
    expect(report['second']).toBeGreaterThan(10);
  },
  90_000,
);

test('a service on a full disk says so, shows what it has, and goes on when there is room', async () => {
  expect(await runOnSmallDisk('full-disk-service-inside.ts', '40m')).toEqual({
    before: 200,
    full: 503,
    retryAfter: true,
    contentType: 'application/problem+json',
    ready: 503,
    alive: 200,
    history: ['http://example.com/before'],
    after: 200,
    readyAfter: 200,
    historyAfter: ['http://example.com/after', 'http://example.com/before'],
  });
}, 90_000);

test('a disk of which a hundredth is free has room enough to forget, and gets the room back', async () => {
  expect(await runOnSmallDisk('full-disk-forget-inside.ts', '40m')).toEqual({
    freeBefore: true,
    removed: 11_500,
    kept: 500,
    givenBack: true,
  });
}, 90_000);

test('a small box that checks all day keeps its log within its bound, and the newest checks', async () => {
  expect(await runOnSmallDisk('small-box-inside.ts', '96m', ['40000', '24000000'])).toEqual({
    isWithinBound: true,
    hasForgotten: true,
    keepsTheNewest: true,
    notices: [],
    seen: expect.anything(),
  });
}, 180_000);
