import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { parseAs } from '#test/support/parse-as.ts';
import { runOnSmallDisk } from './small-disk.ts';

test.each([
  ['to the last byte', 0, ['opened', 'disk_full']],
  ['down to its reserve', 512 * 1024, ['opened']],
])(
  'on a disk that is full %s checks are refused, none is lost, and the log recovers',
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
);

test('a service on a full disk reports that, shows its history, and continues once there is space', async () => {
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
});

test('a disk without free inodes is named by the doctor and at /readyz', async () => {
  expect(await runOnSmallDisk('few-inodes-inside.ts', '40m,nr_inodes=150')).toMatchObject({
    before: [null, 'ok'],
    after: ['inodes', 'fault'],
    text: expect.stringMatching(/^\d+ of 150 inodes are free/),
  });
});

test('a disk with one percent free has enough space for the retention, which then frees space', async () => {
  expect(await runOnSmallDisk('full-disk-forget-inside.ts', '40m')).toEqual({
    freeBefore: true,
    removed: 11_500,
    kept: 500,
    givenBack: true,
  });
});

test.each([
  ['by itself', 'alone', ['0', '60000', '100000', '140000', '200000']],
  ['by a service', 'served', ['0', '30000']],
])(
  'a deletion %s without enough space reports that, loses nothing, and completes once there is space',
  async (_, how, lefts) => {
    const { reports } = parseAs(
      Type.Object({ reports: Type.Array(Type.Record(Type.String(), Type.Unknown())) }),
      await runOnSmallDisk('full-disk-delete-inside.ts', '40m', [how, ...lefts]),
    );
    expect(reports.length).toBeGreaterThanOrEqual(lefts.length);
    for (const report of reports) {
      expect(report).toMatchObject({ left: [], notices: [], kept: 2000 });
      expect(report['full']).toMatch(
        // A checkpoint that failed is logged before the command says why it could not go on.
        /^0 1000 checks deleted|^1 (?:\{.*"log\.checkpoint_failed".*\}\n)*lurecheck: .*(?:the disk is full|bytes left).* (?:Make room|Free disk space)/,
      );
      expect(report['again']).toMatch(/^0 \d+ checks? deleted/);
      // What could not be asked for is not on record, and what could is done before it is asked for again.
      const isTold = /^1 /.test(String(report['full']));
      expect(report['deletions']).toBe(isTold && !report['isAskedFor'] ? '1000 checks\n' : '1000 checks\n0 checks\n');
    }
    expect(new Set(reports.map(({ isAskedFor }) => isAskedFor))).toEqual(new Set([false, true]));
  },
);

test('the log of a small host under constant load stays within its bound, and contains the latest checks', async () => {
  expect(await runOnSmallDisk('small-box-inside.ts', '96m', ['40000', '24000000'])).toEqual({
    isWithinBound: true,
    hasForgotten: true,
    keepsTheNewest: true,
    notices: [],
    seen: expect.anything(),
  });
});
