import { expect, test } from 'bun:test';
import { packReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import {
  type CheckTest,
  isInHostOrPath,
  MAX_SEARCHED,
  type NextChecks,
  searchChecks,
  searchTest,
  summarizeChecks,
  textKey,
} from '#src/checks/store/read/search.ts';
import type { SearchFilter } from '#src/checks/store/scan-log.ts';
import { createRequestId } from '#src/core/base/request-id.ts';

const UNLISTED = { list: null, entry: null, listOwner: null };

/** A log of so many checks, one a second, of which every thousandth is of another host. */
function logOf(count: number) {
  const checks = Array.from({ length: count }, (_, i) => ({
    requestId: createRequestId((count - i) * 1000),
    url: i % 1000 === 999 ? `https://rare.example/${i}` : `https://common.example/${i}`,
    decision: 'allow' as const,
    coverage: i % 7 === 0 ? ('full' as const) : ('url_only' as const),
    caution: i % 11 === 0,
    via: i % 17 === 0 ? ('gate' as const) : null,
    reasons: i % 19 === 0 ? packReasons([{ code: 'url.suffix', weight: 1 }]) : null,
    ...(i % 23 === 0 ? { list: 'feed', entry: 'common.example', listOwner: 'operator' } : UNLISTED),
    modelVersion: i % 13 === 0 ? 'old' : 'new',
  }));
  let looked = 0;
  const next: NextChecks = async (afterId, limit) => {
    const start = afterId === null ? 0 : checks.findIndex(({ requestId }) => requestId === afterId) + 1;
    const found = checks.slice(start, start + limit);
    looked += found.length;
    return found;
  };
  return { checks, next, looked: () => looked };
}

const testOf = (filter: Partial<SearchFilter>) => searchTest({ ...EVERY_CHECK, ...filter }) ?? (() => true);

async function pagesOf(next: NextChecks, isMeant: CheckTest, limit: number) {
  const pages: string[][] = [];
  let afterId: string | null = null;
  do {
    const { requestIds, continuesAfter } = await searchChecks(next, { isMeant, afterId, limit });
    pages.push([...requestIds]);
    afterId = continuesAfter;
  } while (afterId !== null);
  return pages;
}

test.each([1, 3, 500])('pages of %d items contain all matches, however sparse', async (limit) => {
  const { checks, next } = logOf(2.5 * MAX_SEARCHED);
  for (const key of ['rare', 'absent', 'example/12499']) {
    const expected = checks.filter(({ url }) => url.includes(key)).map(({ requestId }) => requestId);
    expect([key, (await pagesOf(next, testOf({ text: key }), limit)).flat()]).toEqual([key, expected]);
  }
});

test('a page scans a bounded number of checks, and reports where it ended', async () => {
  const { checks, next, looked } = logOf(3 * MAX_SEARCHED);
  const { requestIds, continuesAfter, isBounded } = await searchChecks(next, {
    ...{ isMeant: testOf({ text: 'absent' }), afterId: null, limit: 50 },
  });
  expect([requestIds, isBounded, looked()]).toEqual([[], true, MAX_SEARCHED]);
  expect(continuesAfter).toBe(checks[MAX_SEARCHED - 1]?.requestId ?? '');
  const { checks: counted, counted_back_to } = await summarizeChecks(next, null);
  expect(counted).toEqual({ allow: MAX_SEARCHED, warn: 0, block: 0 });
  expect(counted_back_to).toBe(new Date((2 * MAX_SEARCHED + 1) * 1000).toISOString());
});

test('filters by coverage, caution, model version, way, list and reason, alone and together', async () => {
  const { checks, next } = logOf(2000);
  const filters: readonly Partial<SearchFilter>[] = [
    { coverage: 'full' },
    { caution: true },
    { caution: false, coverage: 'url_only' },
    { modelVersion: 'old' },
    { modelVersion: 'old', coverage: 'full', text: 'common' },
    { modelVersion: 'unknown' },
    { via: 'gate' },
    { list: 'feed' },
    { reason: 'url.suffix' },
    { reason: 'url.words' },
    { via: 'gate', list: 'feed', reason: 'url.suffix' },
  ];
  for (const filter of filters) {
    const { coverage, caution, modelVersion, via, list, reason, text = '' } = filter;
    const expected = checks.filter(
      (check) =>
        check.url.includes(text ?? '') &&
        (coverage === undefined || check.coverage === coverage) &&
        (caution === undefined || check.caution === caution) &&
        (modelVersion === undefined || check.modelVersion === modelVersion) &&
        (via === undefined || check.via === via) &&
        (list === undefined || check.list === list) &&
        (reason === undefined || (reason === 'url.suffix' && check.reasons !== null)),
    );
    const found = (await pagesOf(next, testOf(filter), 50)).flat();
    expect([filter, found]).toEqual([filter, expected.map(({ requestId }) => requestId)]);
  }
  expect(searchTest(EVERY_CHECK)).toBeNull();
});

test('searches host and path case-insensitively, and nothing else', () => {
  const url = 'https://Login.Example:8443/Path/x?secret=path2#frag';
  for (const text of ['login.example', 'EXAMPLE:8443/pa', 'path/X', ' x ', 'https://login']) {
    expect([text, isInHostOrPath(url, textKey(text) ?? '')]).toEqual([text, true]);
  }
  for (const text of ['secret', 'path2', 'frag', '?', 'https:']) {
    expect([text, isInHostOrPath(url, textKey(text) ?? '')]).toEqual([text, false]);
  }
  expect(['', ' ', 'https://', null].map(textKey)).toEqual([null, null, null, null]);
});
