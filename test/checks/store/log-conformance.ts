import { describe, expect, test } from 'bun:test';
import { FormatRegistry, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { StatsSchema } from '#src/checks/record/stats.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { BadCursorError, type ScanLog, type SearchFilter } from '#src/checks/store/scan-log.ts';
import { type Clock, DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { hostOf } from '#src/core/url/host.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import {
  appendAll,
  DECISIONS,
  FILTERS,
  idsOf,
  matches,
  type OpenLogUnderTest,
  recordAt,
  START_MS,
} from './log-checks.ts';
import { describeMessages } from './message-conformance.ts';
import { describeProvenance } from './provenance-conformance.ts';
import { describeWalks } from './walk-conformance.ts';

const VISIBILITIES = ['public', 'private'] as const;
const FIRST_PAGE = { ...EVERY_CHECK, limit: 50, cursor: null };
FormatRegistry.Set('date-time', (text) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text));

/** What every log does, wherever it keeps its checks. */
export function describeLog(kind: string, open: OpenLogUnderTest): void {
  describe(`${kind}: pages`, () => describePages(open));
  describe(`${kind}: searches`, () => describeSearches(open));
  describe(`${kind}: walks`, () => describeWalks(open));
  describe(`${kind}: whole checks`, () => describeWholeChecks(open));
  describe(`${kind}: origin of a check`, () => describeProvenance(open));
  describe(`${kind}: messages`, () => describeMessages(open));
  describe(`${kind}: statistics`, () => describeStats(open));
}

function describePages(open: OpenLogUnderTest): void {
  test('match a naive filter, newest first, each check once', async () => {
    await using under = await open();
    const { log, reader } = under;
    const records = Array.from({ length: 300 }, (_, i) => recordAt(i));
    await appendAll(log, records);
    for (const filter of FILTERS) {
      const expected = idsOf(records.filter((record) => matches(record, { ...EVERY_CHECK, ...filter })));
      for (const limit of [1, 7, 500]) {
        const seen = [filter, limit, await idsOfAll(log, filter, limit)];
        expect(seen).toEqual([filter, limit, expected.toSorted().toReversed()]);
      }
      const read = await Array.fromAsync(reader.read('public', { ...EVERY_CHECK, ...filter }));
      expect(read.map(({ result }) => result.request_id)).toEqual(expected.toSorted().toReversed());
    }
  });

  test.each([{}, { decision: 'warn' }, { domain: 'com' }, { text: 'example' }] as const)(
    'with %j are not affected by checks that are logged meanwhile, whatever their time',
    async (filter) => {
      await using under = await open();
      const { log } = under;
      await appendAll(
        log,
        Array.from({ length: 100 }, (_, i) => recordAt(i)),
      );
      const whole = await idsOfAll(log, filter, 500);
      let later = 1000;
      const more = () =>
        appendAll(
          log,
          Array.from({ length: 20 }, () => recordAt(later++)),
        );
      expect(await idsOfAll(log, filter, 9, more)).toEqual(whole);
    },
  );

  test('refuse other cursors', async () => {
    await using under = await open();
    for (const cursor of ['', 'x', 'MQ', '!!!', 'MS4yLjM', '1.2', "' OR 1=1 --", 'a'.repeat(10_000)]) {
      const refusal: unknown = await under.log.page({ ...FIRST_PAGE, cursor }).catch((error: unknown) => error);
      expect([cursor, refusal]).toEqual([cursor, expect.any(BadCursorError)]);
    }
  });

  test('find nothing for an invalid domain', async () => {
    await using under = await open();
    await under.log.append(sampleRecord());
    for (const domain of [
      "' OR 1=1 --",
      '%',
      '_',
      '\\',
      'a\0b',
      '* OR *',
      '[a-z]*',
      '1;ATTACH',
      '.',
      'com/',
      'x'.repeat(1000),
    ]) {
      expect([domain, (await under.log.page({ ...FIRST_PAGE, domain })).items]).toEqual([domain, []]);
    }
  });

  test('accept a domain in Unicode, in any letter case, and with leading or trailing dots', async () => {
    await using under = await open();
    await under.log.append(sampleRecord({ url: 'https://www.bücher.example/' }));
    for (const domain of ['bücher.example', 'BÜCHER.Example.', '*.xn--bcher-kva.example', ' .example']) {
      expect((await under.log.page({ ...FIRST_PAGE, domain })).items).toHaveLength(1);
    }
  });

  test('contain public checks only', async () => {
    await using under = await open();
    const { log } = under;
    const shown = sampleRecord({ url: 'https://shown.example/a' });
    await appendAll(log, [shown, sampleRecord({ visibility: 'private', url: 'https://hidden.example/' })]);
    expect(await log.page(FIRST_PAGE)).toEqual({
      items: [
        {
          request_id: shown.result.request_id,
          url: 'https://shown.example/a',
          malicious_probability: 0.02,
          decision: 'allow',
          coverage: 'url_only',
          caution: false,
          via: 'api',
          decided_by: null,
          reasons: [{ code: 'url.suffix', weight: -0.9 }],
          model_version: 'test',
          timestamp: '2026-01-31T12:00:00.000Z',
        },
      ],
      next_cursor: null,
    });
  });
}

const TEXTS = [
  '',
  'notexample',
  'EXAMPLE.com/1',
  'http://other.net',
  '/7',
  '192.0.2',
  'absent',
  "' or 1=1 --",
  '%',
  '_',
  '.*',
  '?',
];

function describeSearches(open: OpenLogUnderTest): void {
  test('find a text in host or path, together with any other filter, and count the same', async () => {
    await using under = await open();
    const { log } = under;
    const records = Array.from({ length: 300 }, (_, i) => recordAt(i));
    await appendAll(log, [...records, { ...recordAt(1), visibility: 'private' }]);
    for (const filter of FILTERS) {
      for (const text of TEXTS) {
        const key = text.toLowerCase().replace('http://', '');
        const expected = records.filter(
          (record) =>
            matches(record, { ...EVERY_CHECK, ...filter }) &&
            record.result.analysis_details.normalized_url.slice('https://'.length).includes(key),
        );
        const found = await idsOfAll(log, { ...filter, text }, 17);
        expect([filter, text, found]).toEqual([filter, text, idsOf(expected).toSorted().toReversed()]);
        const summary = await log.summary({ ...EVERY_CHECK, ...filter, text });
        const times = expected.map(({ result }) => result.timestamp).toSorted();
        expect(summary).toEqual({
          checks: tallyOf(expected),
          first_at: times[0] ?? null,
          last_at: times.at(-1) ?? null,
          days: expected.length === 0 ? [] : [{ start: '2026-01-01T00:00:00.000Z', ...tallyOf(expected) }],
          counted_back_to: null,
        });
      }
    }
  });

  test('count per day', async () => {
    await using under = await open();
    const { log } = under;
    const records = [0, 1, 1, 3].map((day) =>
      sampleRecord({ url: `https://shop.example/${day}`, atMs: START_MS + day * DAY_MS + HOUR_MS }),
    );
    await appendAll(log, records);
    const { days } = await log.summary({ ...EVERY_CHECK, domain: 'shop.example' });
    expect(days.map(({ start, allow }) => `${start.slice(8, 10)}: ${allow}`)).toEqual(['01: 1', '02: 2', '04: 1']);
  });
}

function describeWholeChecks(open: OpenLogUnderTest): void {
  test('are returned unchanged from both logs, also by id', async () => {
    await using under = await open();
    const { log, reader } = under;
    for (const visibility of VISIBILITIES) {
      const records = [
        sampleRecord({ visibility, client: '192.0.2.1', url: 'https://bücher.example:8443/Weg?a=%F0%9F%92%A9#x' }),
        sampleRecord({ visibility, atMs: 5, url: `https://${'a.'.repeat(60)}example/`, details: ODD_DETAILS }),
        sampleRecord({ visibility, atMs: 6, details: { ...ODD_DETAILS, model_version: 'another' } }),
      ];
      await appendAll(log, records);
      const newestFirst = idsOf(records).toSorted().toReversed();
      const read = await Array.fromAsync(reader.read(visibility, EVERY_CHECK));
      expect(read.map(({ result }) => result.request_id)).toEqual(newestFirst);
      for (const { result } of records) {
        const entry = await reader.find(visibility, result.request_id);
        expect(entry?.result).toEqual(result);
        expect(read.map((one) => JSON.stringify(one))).toContain(JSON.stringify(entry));
      }
      const [first] = await Promise.all(newestFirst.slice(0, 1).map((id) => reader.find(visibility, id)));
      expect(first?.clientHash ?? '').toMatch(visibility === 'public' ? /^$/ : /^[\da-f]{64}$/);
    }
  });

  test('are not found by an invalid id or in the other log', async () => {
    await using under = await open();
    const { log, reader } = under;
    const record = sampleRecord();
    await log.append(record);
    for (const id of ['', 'x', "'", record.result.request_id.toUpperCase(), sampleRecord().result.request_id]) {
      expect(await reader.find('public', id)).toBeNull();
    }
    expect(await reader.find('private', record.result.request_id)).toBeNull();
  });

  test('are returned once each to a follower, if they match', async () => {
    await using under = await open();
    const { log, reader } = under;
    for (const visibility of VISIBILITIES) {
      await log.append(sampleRecord({ visibility, atMs: 1 }));
      const tail = await reader.tail(visibility, { ...EVERY_CHECK, domain: 'com', decision: 'block' });
      const records = Array.from({ length: 250 }, (_, i) => ({ ...recordAt(i), visibility }));
      const expected = idsOf(
        records.filter(({ host, result }) =>
          matches({ host, result }, { ...EVERY_CHECK, domain: 'com', decision: 'block' }),
        ),
      );
      const told: string[] = [];
      for (let from = 0; from < records.length; from += 50) {
        await appendAll(log, records.slice(from, from + 50));
        for (let entries = await tail.next(); entries.length > 0; entries = await tail.next()) {
          told.push(...entries.map(({ result }) => result.request_id));
        }
      }
      expect(told.toSorted()).toEqual(expected.toSorted());
    }
  });

  test('report undelivered answers, unlike the history', async () => {
    await using under = await open();
    const { log, reader } = under;
    for (const visibility of VISIBILITIES) {
      const records = Array.from({ length: 3 }, (_, i) => sampleRecord({ visibility, atMs: i }));
      const other = visibility === 'public' ? 'private' : 'public';
      const [first = '', lost = '', taken = ''] = idsOf(records);
      await appendAll(log, records);
      log.markUndelivered(visibility, lost);
      log.markUndelivered(other, taken);
      const after = VISIBILITIES.map((one) => sampleRecord({ visibility: one, atMs: 9 }));
      // What is noted before a check is kept with it at the latest.
      await appendAll(log, after);
      const found = await Promise.all([first, lost, taken].map((id) => reader.find(visibility, id)));
      expect(found.map((entry) => entry?.isDelivered)).toEqual([true, false, true]);
      for (const { request_id, ...item } of (await log.page(FIRST_PAGE)).items) {
        expect(Object.keys(item)).toEqual([
          ...['url', 'malicious_probability', 'decision', 'coverage', 'caution', 'via', 'decided_by', 'reasons'],
          ...['model_version', 'timestamp'],
        ]);
      }
    }
  });
}

const NOW_MS = Date.UTC(2026, 2, 15, 12, 30);
const CLOCK: Clock = { now: () => NOW_MS, monotonicMs: () => 0 };

function describeStats(open: OpenLogUnderTest): void {
  test('have their documented shape, add up to the public checks, and exclude private ones', async () => {
    await using under = await open(CLOCK);
    const { log } = under;
    const counted = Array.from({ length: 300 }, (_, i) => countedAt(i));
    await appendAll(log, counted);
    await appendAll(
      log,
      counted.slice(0, 50).map((_, i) => ({ ...countedAt(i), visibility: 'private' as const })),
    );
    const stats = await log.stats();
    expect([...TypeCompiler.Compile(Type.Omit(StatsSchema, ['retention'])).Errors(stats)]).toEqual([]);
    const firstDay = Date.UTC(2026, 2, 15) - 29 * DAY_MS;
    const firstHour = Date.UTC(2026, 2, 15, 12) - 23 * HOUR_MS;
    const between = (fromMs: number, untilMs: number) =>
      counted.filter(({ result }) => {
        const atMs = Date.parse(result.timestamp);
        return atMs >= fromMs && atMs < untilMs;
      });
    expect(tally(stats.days)).toEqual(tallyOf(between(firstDay, firstDay + 30 * DAY_MS)));
    expect(tally(stats.hours)).toEqual(tallyOf(between(firstHour, firstHour + DAY_MS)));
    for (const { start, ...checks } of stats.days) {
      expect(checks).toEqual(tallyOf(between(Date.parse(start), Date.parse(start) + DAY_MS)));
    }
    const sinceFirstDay = between(firstDay, Infinity).length;
    const sum = (buckets: readonly { checks: number }[]) => buckets.reduce((total, { checks }) => total + checks, 0);
    expect([sum(stats.probabilities), sum(stats.answer_seconds.histogram)]).toEqual([sinceFirstDay, sinceFirstDay]);
    const blocked = Map.groupBy(
      counted.filter(({ result }) => result.decision === 'block'),
      ({ host, decidingHost = host }) => decidingHost.site,
    );
    for (const { name, checks } of stats.blocked_sites)
      expect([name, checks]).toEqual([name, blocked.get(name)?.length ?? 0]);
    const most = [...blocked.values()].map(({ length }) => length).toSorted((a, b) => b - a);
    expect(stats.blocked_sites.map(({ checks }) => checks)).toEqual(most.slice(0, 10));
  });
}

type Tally = Record<(typeof DECISIONS)[number], number>;

function tally(periods: readonly Tally[]): Tally {
  const sum = (decision: keyof Tally) => periods.reduce((total, period) => total + period[decision], 0);
  return { allow: sum('allow'), warn: sum('warn'), block: sum('block') };
}

function tallyOf(records: readonly CheckRecord[]): Tally {
  const count = (decision: keyof Tally) => records.filter(({ result }) => result.decision === decision).length;
  return { allow: count('allow'), warn: count('warn'), block: count('block') };
}

/** Checks spread over forty days before now and two after it, as after a jump of the clock. */
/** Of some checks another host decided: a blocked one is counted under that. */
function countedAt(i: number): CheckRecord {
  return sampleRecord({
    ...(i % 4 === 0 && { decidingHost: hostOf(`a.evil${i % 5}.example`) }),
    url: `https://www.shop${i % 13}.${['com', 'co.uk', 'github.io'][i % 3]}/${i}`,
    atMs: NOW_MS + 48 * HOUR_MS - ((i * 7919) % (42 * 24)) * HOUR_MS - (i % 60) * 1000,
    result: { decision: DECISIONS[(i * i) % 3] ?? 'allow', malicious_probability: (i % 101) / 100 },
    details: { analysis_time: 0.001 * 1.02 ** (i % 500) },
  });
}

/** What a database could take another way: NUL, half a surrogate pair, a backslash, and numbers at the ends. */
const ODD_DETAILS = {
  page: { title: 'a\0b \u{1F4A9} \\ "quoted" \'single\' \u{2028} $1', forms: [] },
  base_log_odds: -1.7976931348623157e308,
  analysis_time: 5e-324,
};

async function idsOfAll(
  log: ScanLog,
  filter: Partial<SearchFilter>,
  limit: number,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await log.page({ ...EVERY_CHECK, ...filter, limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map((item) => item.request_id));
    cursor = page.next_cursor;
    await between();
  } while (cursor !== null);
  return ids;
}
