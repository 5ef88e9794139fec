import { expect, test } from 'bun:test';
import { type NewFeedback, openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { openAdministered } from './administered.ts';

const TAG = expect.stringMatching(/^"[\w-]{22}"$/);
const RECEIVED_MS = Date.UTC(2026, 0, 31, 12);

const OF_URL: NewFeedback = {
  ...{ receivedAtMs: RECEIVED_MS, verdict: 'malicious', url: 'http://evil.example/pay', host: 'evil.example' },
  ...{ comment: '', clientHash: Buffer.alloc(32) },
};

const OF_CHECK: NewFeedback = {
  ...{ ...OF_URL, verdict: 'benign', url: 'http://shop.example/', host: 'shop.example', comment: 'my shop' },
  ...{ requestId: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b', decision: 'block', probability: 0.97, modelVersion: 'm1' },
};

/** A console with these reports, numbered from 1. */
async function openWith(reports: readonly NewFeedback[], urls: readonly string[] = []) {
  const service = await openAdministered({ urls });
  using queue = openFeedback({ dataDir: service.dataDir, now: () => RECEIVED_MS });
  for (const report of reports) queue.take(report);
  return service;
}

type Service = Awaited<ReturnType<typeof openAdministered>>;

const settle = async (
  service: Service,
  id: number | string,
  body: object,
  { etag, query = '' }: { readonly etag?: string; readonly query?: string } = {},
) =>
  await service.call('PATCH', `feedback/${id}${query}`, {
    as: 'feedback',
    body,
    headers: etag === undefined ? {} : { 'if-match': etag },
  });

test('reports are listed latest first with the check that they are about, and the entry to come', async () => {
  await using service = await openWith([OF_URL, OF_CHECK]);
  const before = Date.now();
  const { status, body } = await service.call('GET', 'feedback', { as: 'feedback' });
  const [ofCheck, ofUrl] = body.items;
  expect([status, body.items.length, body.next_cursor]).toEqual([200, 2, null]);
  const usual = { etag: TAG, state: 'waiting', created_at: '2026-01-31T12:00:00.000Z', entry: null };
  const { default_expires: expires, ...rest } = ofUrl;
  expect(rest).toEqual({
    ...{ ...usual, id: 1, url: OF_URL.url, verdict: 'malicious', comment: null, check: null },
    default_entry: 'http://evil.example/pay',
  });
  expect(Date.parse(expires) - 90 * DAY_MS).toBeWithin(before, Date.now() + 1);
  expect(ofCheck).toMatchObject({
    ...{ ...usual, id: 2, verdict: 'benign', comment: 'my shop', default_entry: 'http://shop.example/' },
    check: {
      ...{ request_id: OF_CHECK.requestId, url: OF_CHECK.url, decision: 'block', malicious_probability: 0.97 },
      model_version: 'm1',
    },
  });
});

test('pages of reports follow one another to the end', async () => {
  const reports = Array.from({ length: 52 }, (_, at) => ({ ...OF_URL, url: `http://evil.example/${at}` }));
  await using service = await openWith(reports);
  const page = async (query: string) => (await service.call('GET', `feedback${query}`)).body;
  const ids = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);
  const first = await page('');
  expect([first.items.length, first.next_cursor, ids(first)[0]]).toEqual([50, '50', 52]);
  const last = await page('?cursor=50');
  expect([ids(last), last.next_cursor]).toEqual([[2, 1], null]);
  const one = await page('?cursor=50&limit=1');
  expect([ids(one), one.next_cursor]).toEqual([[2], '51']);
  expect((await page('?cursor=50&limit=2')).next_cursor).toBeNull();
  expect((await page('?cursor=5000')).items).toEqual([]);
  expect((await page('?cursor=5001')).code).toBe('invalid_parameter');
  expect((await page('?state=settled')).code).toBe('invalid_parameter');
});

test('an accepted report is an entry for 90 days, which taking it back removes', async () => {
  await using service = await openWith([OF_URL, OF_CHECK], ['http://evil.example/pay/now']);
  const before = Date.now();
  const { body } = await service.call('GET', 'feedback');
  const [ofCheck, ofUrl] = body.items;
  const preview = await settle(service, 1, { state: 'accepted' }, { query: '?preview=true' });
  expect([preview.status, preview.body.preview.newly_blocked]).toEqual([200, 1]);
  expect((await settle(service, 1, { state: 'accepted' })).code).toBe('428 precondition_required');
  expect((await settle(service, 1, { state: 'accepted' }, { etag: ofCheck.etag })).code).toBe(
    '412 precondition_failed',
  );

  const accepted = await settle(service, 1, { state: 'accepted' }, { etag: ofUrl.etag });
  expect([accepted.status, accepted.body]).toEqual([
    200,
    expect.objectContaining({ id: 1, state: 'accepted', entry: 'http://evil.example/pay' }),
  ]);
  expect(accepted.headers.get('etag')).toBe(accepted.body.etag);
  expect(accepted.body.etag).not.toBe(ofUrl.etag);
  const list = (await service.call('GET', 'lists/feedback')).body;
  expect([list.action, list.owner]).toEqual(['block', 'feedback']);
  expect(list.entries).toMatchObject([{ entry: 'http://evil.example/pay' }]);
  expect(Date.parse(list.entries[0].expires) - 90 * DAY_MS).toBeWithin(before - 1000, Date.now() + 1000);
  for (const [state, ids] of [
    ['waiting', [2]],
    ['accepted', [1]],
    ['rejected', []],
    ['all', [2, 1]],
  ] as const) {
    const { items } = (await service.call('GET', `feedback?state=${state}`)).body;
    expect([state, items.map(({ id }: { id: number }) => id)]).toEqual([state, [...ids]]);
  }

  const again = await settle(service, 1, { state: 'rejected' }, { etag: accepted.body.etag });
  expect([again.code, again.body.detail]).toEqual(['409 conflict', 'The report is accepted: take that back first.']);
  const same = await settle(service, 1, { state: 'accepted' }, { etag: accepted.body.etag });
  expect([same.status, same.body]).toEqual([200, { ...accepted.body, default_expires: same.body.default_expires }]);
  const back = await settle(service, 1, { state: 'waiting' }, { etag: accepted.body.etag });
  expect([back.status, back.body]).toEqual([200, expect.objectContaining({ state: 'waiting', entry: null })]);
  expect((await service.call('GET', 'lists/feedback')).body.entries ?? []).toEqual([]);
});

test('an accepted report takes the entry and the expiry that the operator names', async () => {
  await using service = await openWith([OF_URL, OF_CHECK]);
  const { body } = await service.call('GET', 'feedback');
  const [ofCheck, ofUrl] = body.items;
  const expires = '2099-01-01T00:00:00.000Z';
  await settle(service, 1, { state: 'accepted', entry: 'evil.example', expires }, { etag: ofUrl.etag });
  await settle(service, 2, { state: 'accepted', expires: null }, { etag: ofCheck.etag });
  const entriesOf = async (list: string) => (await service.call('GET', `lists/${list}`)).body.entries;
  expect(await entriesOf('feedback')).toMatchObject([{ entry: 'evil.example', expires }]);
  expect(await entriesOf('feedback-allow')).toMatchObject([{ entry: 'http://shop.example/', expires: null }]);
});

test('a rejected report adds no entry', async () => {
  await using service = await openWith([OF_URL]);
  const rejected = await settle(service, 1, { state: 'rejected' }, { etag: '*' });
  expect([rejected.status, rejected.body.state, rejected.body.entry]).toEqual([200, 'rejected', null]);
  expect((await service.call('GET', 'lists')).body).toEqual({ items: [] });
  expect((await service.call('GET', 'status')).body.feedback_waiting).toBe(0);
});

test('a report that is not there, and a change that is no change, are refused', async () => {
  await using service = await openWith([OF_URL, { ...OF_URL, url: 'mailto:a@b.example' }]);
  for (const id of ['0', '3', '1x', 'x1', '01', '1234567890123456']) {
    const missing = await settle(service, id, { state: 'rejected' }, { etag: '*' });
    expect([id, missing.code]).toEqual([id, '404 not_found']);
  }
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['state', 'settled', 'must be waiting, accepted or rejected'],
    ['entry', 5, 'must be a string'],
    ['expires', '2099-01-01', 'must be a time such as 2026-12-31T00:00:00Z, or null'],
  ];
  for (const [field, value, message] of wrong) {
    const { status, body } = await settle(service, 1, { state: 'accepted', [field]: value }, { etag: '*' });
    expect([field, status, body.errors]).toEqual([field, 400, [{ field, message }]]);
  }
  const unlisted = await settle(service, 2, { state: 'accepted' }, { query: '?preview=true' });
  expect([unlisted.code, unlisted.body.detail]).toEqual(['409 conflict', 'No entry can cover this URL: send entry.']);
  const accept = async (entry: string) => await settle(service, 1, { state: 'accepted', entry }, { etag: '*' });
  const [invalid, popular] = [await accept('not a host'), await accept('google.com')];
  expect([invalid.code, invalid.body.detail]).toEqual([
    '409 conflict',
    expect.stringContaining('line 1: "not a host"'),
  ]);
  expect([popular.code, popular.body.detail]).toEqual([
    '409 conflict',
    expect.stringMatching(/^Nothing was changed: .*[^.]\.$/),
  ]);
  expect((await service.call('GET', 'feedback')).body.items).toHaveLength(2);
});
