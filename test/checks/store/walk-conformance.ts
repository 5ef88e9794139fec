import { expect, test } from 'bun:test';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { BadCursorError, type ScanLog, type SearchFilter } from '#src/checks/store/scan-log.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { appendAll, FILTERS, idsOf, matches, type OpenLogUnderTest, recordAt } from './log-checks.ts';

/** What a walk over a log does, wherever that keeps its checks. */
export function describeWalks(open: OpenLogUnderTest): void {
  test('match a naive filter, in log order, each check once, and report the end', async () => {
    await using under = await open();
    const { log } = under;
    const records = Array.from({ length: 300 }, (_, i) => recordAt(i));
    for (const record of records) await log.append(record);
    for (const filter of FILTERS) {
      const expected = idsOf(records.filter((record) => matches(record, { ...EVERY_CHECK, ...filter })));
      for (const limit of [1, 7, 500]) {
        const { ids, next } = await walkToEnd(log, filter, '', limit);
        expect([filter, limit, ids]).toEqual([filter, limit, expected]);
        expect(await walkToEnd(log, filter, next, limit)).toEqual({ ids: [], next });
      }
    }
    const named = records.filter(({ host }) => host.text.includes('notexample'));
    expect((await walkToEnd(log, { text: 'NOTexample' }, '', 7)).ids).toEqual(idsOf(named));
  });

  test('continue with checks that were logged since, whatever the clock shows', async () => {
    await using under = await open();
    const { log } = under;
    const told: string[] = [];
    let place = '';
    let number = 0;
    for (const count of [0, 3, 0, 1, 40, 7]) {
      // Times run backwards at times, and the ids with them.
      const records = Array.from({ length: count }, () => recordAt(number++));
      await Promise.all(records.map((record) => log.append(record)));
      const { ids, next } = await walkToEnd(log, {}, place, 5);
      expect(ids.toSorted()).toEqual(idsOf(records).toSorted());
      told.push(...ids);
      place = next;
    }
    expect(new Set(told).size).toBe(number);
  });

  test('return every check once while others are logged', async () => {
    await using under = await open();
    const { log } = under;
    const records = Array.from({ length: 400 }, (_, i) => recordAt(i));
    let isDone = false;
    const logging = (async () => {
      for (let from = 0; from < records.length; from += 10) {
        await appendAll(log, records.slice(from, from + 10));
      }
      isDone = true;
    })();
    const told: string[] = [];
    let place = '';
    for (let last = false; !last; ) {
      last = isDone;
      const { ids, next } = await walkToEnd(log, {}, place, 9);
      told.push(...ids);
      place = next;
      await new Promise(setImmediate);
    }
    await logging;
    expect(told.toSorted()).toEqual(idsOf(records).toSorted());
  });

  test('contain no private checks', async () => {
    await using under = await open();
    const { log } = under;
    const { next } = await walkToEnd(log, {}, '', 5);
    await log.append(sampleRecord({ visibility: 'private', url: 'https://hidden.example/' }));
    expect(await walkToEnd(log, {}, next, 5)).toEqual({ ids: [], next });
  });

  test('refuse other positions, such as a cursor to older checks', async () => {
    await using under = await open();
    const { log } = under;
    await appendAll(
      log,
      Array.from({ length: 3 }, (_, i) => recordAt(i)),
    );
    const { next_cursor: cursor } = await log.page({ ...EVERY_CHECK, cursor: null, limit: 1 });
    const { next } = await walkToEnd(log, {}, '', 5);
    for (const after of [cursor ?? '', 'x', `${next}A`, "' OR 1=1 --", 'a'.repeat(10_000)]) {
      const refusal: unknown = await log.walk({ ...EVERY_CHECK, limit: 5, after }).catch((error: unknown) => error);
      expect([after, refusal]).toEqual([after, expect.any(BadCursorError)]);
    }
    const refusal: unknown = await log
      .page({ ...EVERY_CHECK, limit: 5, cursor: next })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BadCursorError);
  });

  test('restart in a log that was replaced', async () => {
    await using before = await open();
    await appendAll(
      before.log,
      Array.from({ length: 20 }, (_, i) => recordAt(i)),
    );
    const { next } = await walkToEnd(before.log, {}, '', 50);
    await using under = await open();
    const { log } = under;
    for (const count of [5, 30]) {
      const records = Array.from({ length: count }, (_, i) => recordAt(i));
      const { next: here } = await walkToEnd(log, {}, '', 50);
      await appendAll(log, records);
      const { ids } = await walkToEnd(log, {}, here, 50);
      expect((await walkToEnd(log, {}, next, 50)).ids.slice(-count)).toEqual(ids);
    }
  });
}

/** The rest of a walk, until it says that it is at its end. */
async function walkToEnd(log: ScanLog, filter: Partial<SearchFilter>, after: string, limit: number) {
  const ids: string[] = [];
  for (let next = after; ; ) {
    const page = await log.walk({ ...EVERY_CHECK, ...filter, limit, after: next });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map((item) => item.request_id));
    next = page.next;
    if (page.isEnd) return { ids, next };
  }
}
