import { expect, test } from 'bun:test';
import { type LocalLog, openLocalLog } from '#src/checks/store/local-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { consoleChecks } from '#src/parts/console/checks.ts';
import { openAdministered } from '#test/service/server/admin/administered.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const DECIDED = { list: 'feed', entry: 'evil.example', source: 'source' };

const held = sampleRecord({
  url: 'https://login.evil.example/',
  visibility: 'private',
  client: '192.0.2.7',
  result: { decision: 'block', malicious_probability: 0.99 },
  details: { via: 'gate', decided_by: DECIDED },
});

/** A service with a public check, and one in the private log that a list decided. */
const openBoth = async () => {
  let log: LocalLog | null = null;
  const service = await openAdministered({
    urls: ['https://www.example.com/'],
    instead(_, opened) {
      log = opened;
      return {};
    },
  });
  await (log as LocalLog | null)?.append(held);
  return service;
};

test('both logs are read with the list entry that decided, each with its scope', async () => {
  await using service = await openBoth();
  const { body: open } = await service.call('GET', 'checks');
  expect(open.items).toMatchObject([{ url: 'https://www.example.com/', via: 'api', decided_by: null }]);
  const { body: own } = await service.call('GET', 'checks?visibility=private&list=feed&via=gate');
  expect(own.items).toMatchObject([{ url: 'https://login.evil.example/', via: 'gate', decided_by: DECIDED }]);
  expect((await service.call('GET', 'checks?visibility=private&list=other')).body.items).toEqual([]);
  expect((await service.call('GET', 'checks', { as: 'lists' })).status).toBe(403);
  for (const query of ['visibility=all', 'cursor=none', 'via=phone']) {
    expect((await service.call('GET', `checks?${query}`)).status).toBe(400);
  }
});

test('a node of a fleet reads its public checks, and no private ones', async () => {
  await using directory = temporaryDirectory();
  const logger = createLogger('error', () => {});
  await using log = await openLocalLog({ dataDir: directory.path, access: 'serve', clock: systemClock, logger });
  const open = sampleRecord({
    url: 'https://www.example.com/',
    result: { request_id: createRequestId(systemClock.now()) },
  });
  await Promise.all([open, held].map((record) => log.append(record)));
  const by = { key: 'desk' };
  for (const [hasDatabases, found] of [
    [true, [true, false]],
    [false, [true, true]],
  ] as const) {
    const checks = consoleChecks(directory.path, log, hasDatabases);
    const both = [
      await checks.find('public', open.result.request_id, by),
      await checks.find('private', held.result.request_id, by),
    ];
    expect(both.map((one) => one !== null)).toEqual([...found]);
    const query = { ...EVERY_CHECK, limit: 5, cursor: null };
    const pages = [await checks.page('public', query, by), await checks.page('private', query, by)];
    expect(pages.map((page) => page?.items.length ?? null)).toEqual([1, hasDatabases ? null : 1]);
  }
});

test('each scope opens its log, and admin both', async () => {
  await using service = await openBoth();
  const id = held.result.request_id;
  for (const [as, logs, check] of [
    ['admin', ['public', 'private'], 200],
    ['history', ['public'], 404],
    ['history.private', ['private'], 200],
  ] as const) {
    const activity = await service.call('GET', 'activity', { as });
    expect([as, activity.body.logs, (await service.call('GET', `checks/${id}`, { as })).status]).toEqual([
      ...[as, logs, check],
    ]);
    for (const visibility of ['public', 'private'] as const) {
      const { status, code } = await service.call('GET', `checks?visibility=${visibility}`, { as });
      expect([as, visibility, status === 200 ? status : code]).toEqual([
        ...[as, visibility, (logs as readonly string[]).includes(visibility) ? 200 : '403 forbidden_scope'],
      ]);
    }
  }
  expect((await service.call('GET', 'activity', { as: 'lists' })).code).toBe('403 forbidden_scope');
  const none = await service.call('GET', 'checks?visibility=all');
  expect(none.body.errors).toEqual([{ field: 'visibility', message: 'must be public or private' }]);
  const cursor = await service.call('GET', 'checks?cursor=none');
  expect(cursor.body.errors).toEqual([{ field: 'cursor', message: 'must be a next_cursor of this log' }]);
  const missing = await service.call('GET', 'checks/none');
  expect([missing.code, missing.body.detail]).toEqual([
    '404 not_found',
    'No log that this key may read has this check.',
  ]);
});

test('a check is read whole, with the hash of its client, and private reading is in the audit log', async () => {
  await using service = await openBoth();
  const id = held.result.request_id;
  const { body } = await service.call('GET', `checks/${id}`);
  expect(body).toMatchObject({
    visibility: 'private',
    client: expect.stringMatching(/^[\da-f]{64}$/),
    delivered: true,
  });
  expect(body.result.analysis_details).toMatchObject({ via: 'gate', decided_by: DECIDED });
  const { body: audit } = await service.call('GET', 'audit');
  expect(audit.items.map(({ action }: { action: string }) => action)).toContain('history.read');
  expect((await service.call('GET', 'checks/019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b')).status).toBe(404);
  expect((await service.call('GET', 'checks/none')).status).toBe(404);
});
