import { expect, test } from 'bun:test';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { HistoryQuery } from '#src/checks/store/scan-log.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import { type Sample, sampleRecord } from '#test/support/sample-record.ts';
import { appendAll, type OpenLogUnderTest } from './log-checks.ts';

const FIRST_PAGE: HistoryQuery = { ...EVERY_CHECK, limit: 50, cursor: null, text: null };

/** A check that a list decided, as a gate records it. */
const LISTED = {
  url: 'https://login.evil.example/',
  result: { decision: 'block', malicious_probability: 0.99 },
  details: {
    via: 'gate',
    decided_by: { list: 'feed', entry: 'evil.example', source: 'source' },
    reasons: [
      {
        component: 'lists',
        code: 'lists.kept_blocked',
        message: 'The URL has been on the block list feed since 2026-01-01: evil.example (line 7).',
        args: { list: 'feed', day: '2026-01-01', entry: 'evil.example', line: '7' },
        weight: 30,
      },
    ],
  },
} as const satisfies Sample;

/** When the counted checks began. */
const NOW = Date.UTC(2026, 0, 31, 12);

/** Tests what each log states about the origin of checks. */
export function describeProvenance(open: OpenLogUnderTest): void {
  test('state how a check came and which list entry decided, and are filtered by both', async () => {
    await using under = await open();
    const { log, reader } = under;
    const [listed, other] = [sampleRecord(LISTED as Sample), sampleRecord({ details: { via: 'page' } })];
    await appendAll(log, [listed, other]);
    const { via, decided_by } = LISTED.details;
    const idOf = ({ result }: typeof listed) => result.request_id;
    const found = async (filter: Partial<HistoryQuery>) =>
      (await log.page({ ...FIRST_PAGE, ...filter })).items.map(({ request_id }) => request_id);
    expect(await found({ via: 'gate' })).toEqual([idOf(listed)]);
    expect(await found({ list: 'feed' })).toEqual([idOf(listed)]);
    expect(await found({ reason: 'url.suffix' })).toEqual([idOf(other)]);
    expect(await found({ list: 'feed', via: 'page' })).toEqual([]);
    const [item] = (await log.page({ ...FIRST_PAGE, list: 'feed' })).items;
    expect(item).toMatchObject({ via, decided_by, reasons: [{ code: 'lists.kept_blocked', weight: 12.7 }] });
    const walked = await log.walk({ ...EVERY_CHECK, text: null, list: 'feed', after: '', limit: 9 });
    expect(walked.items).toEqual([item ?? expect.unreachable()]);
    const entry = await reader.find('public', idOf(listed));
    expect(entry?.result.analysis_details).toMatchObject({ via, decided_by });
    expect(await found({ list: 'feed', entry: 'evil.example' })).toEqual([idOf(listed)]);
    expect(await found({ entry: 'evil.example', via: 'page' })).toEqual([]);
    expect(await found({ list: 'feed', entry: 'evil.example', decision: 'allow' })).toEqual([]);
    expect(await found({ list: 'ours', entry: 'evil.example' })).toEqual([]);
    await appendAll(log, [sampleRecord({ url: 'https://www.evil.example/' })]);
    expect(await found({ domain: 'evil.example', list: 'feed', entry: 'evil.example' })).toEqual([idOf(listed)]);
    expect(await found({ domain: 'evil.example', list: 'feed', entry: 'other.example' })).toEqual([]);
  });

  test('count the hits of lists and entries of both logs since a moment', async () => {
    await using under = await open();
    const { log } = under;
    const hit = (list: string, entry: string, more: Sample = {}) =>
      sampleRecord({
        ...LISTED,
        atMs: NOW,
        details: { decided_by: { list, entry, source: 'operator' } },
        ...more,
      } as Sample);
    await appendAll(log, [
      ...Array.from({ length: 3 }, () => hit('feed', 'evil.example')),
      // More than one step reads.
      ...Array.from({ length: 2100 }, (_, at) => hit('feed', `host-${at % 1050}.example`)),
      hit('feed', 'evil.example', { visibility: 'private' }),
      hit('feed', 'evil.example', { atMs: NOW - 1 }),
      hit('ours', 'evil.example', { visibility: 'private', client: 'a proxy' }),
      sampleRecord({ atMs: NOW }),
    ]);
    const counted = await log.listHits(NOW);
    expect([...counted].map(([list, { total }]) => [list, total])).toEqual([
      ['feed', 2104],
      ['ours', 1],
    ]);
    const { entries } = counted.get('feed') ?? expect.unreachable();
    expect([entries.size, entries.get('evil.example'), entries.get('host-7.example')]).toEqual([1051, 4, 2]);
    expect((await log.listHits(NOW + 1)).get('feed')?.total ?? 0).toBe(0);
  });

  test('names the ids that no check of a log has, also of private ones', async () => {
    await using under = await open();
    const { log } = under;
    for (const visibility of VISIBILITIES) {
      const [here, gone] = [sampleRecord({ visibility, atMs: NOW }), sampleRecord({ visibility, atMs: NOW })];
      await appendAll(log, [here]);
      const ids = [here, gone].map(({ result }) => result.request_id);
      expect(await log.missing(visibility, ids)).toEqual(ids.slice(1));
    }
  });
}
