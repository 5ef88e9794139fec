import { expect, test } from 'bun:test';
import { packReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { openLogFile } from '#src/checks/store/file/log-file.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { openHistory } from '#src/checks/store/read/history.ts';
import { MAX_SEARCHED } from '#src/checks/store/read/history-pages.ts';
import { isInHostOrPath, searchTest, textKey } from '#src/checks/store/read/search.ts';
import type { SearchFilter } from '#src/checks/store/scan-log.ts';
import { prepareInsertRows } from '#src/checks/store/write/insert-checks.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const UNLISTED = { list: null, entry: null, listOwner: null };

/** Checks, one a second, of which every thousandth is of another host; the newest first. */
function checksOf(count: number) {
  return Array.from({ length: count }, (_, i) => ({
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
}

/** Opens a file with checks. */
function openChecks(dataDir: string, checks: ReturnType<typeof checksOf>) {
  const logger = createLogger('error', () => {});
  const file = openLogFile({ dataDir, visibility: 'private', create: true, repair: true, nowMs: 0, logger });
  const insert = prepareInsertRows(file);
  file.database.transaction(() => {
    const insertOne = insert();
    for (const [i, { modelVersion, ...check }] of checks.toReversed().entries()) {
      const rest = { probability: 0, answerTimeBucket: 0, clientHash: null, host: null, decidingHost: null };
      const settings = JSON.stringify({ model_version: modelVersion });
      insertOne({ ...check, ...rest, settings, record: new Uint8Array(), isUndelivered: false }, i + 1);
    }
  })();
  const { page, summary } = openHistory(file, async (query) => await query());
  const find = async (filter: Partial<SearchFilter>, limit: number) => {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const found: Awaited<ReturnType<typeof page>> = await page({ ...EVERY_CHECK, ...filter, limit, cursor });
      pages.push(found.items.map((item) => item.request_id));
      cursor = found.next_cursor;
    } while (cursor !== null);
    return pages.flat();
  };
  return { page, summary, find, [Symbol.dispose]: () => file[Symbol.dispose]() };
}

test('pages contain all matches, however sparse, and scan a bounded number of checks', async () => {
  await using directory = temporaryDirectory();
  const checks = checksOf(2.5 * MAX_SEARCHED);
  using log = openChecks(directory.path, checks);
  for (const limit of [1, 3, 500]) {
    for (const text of ['rare', 'absent', 'example/12499']) {
      const expected = checks.filter(({ url }) => url.includes(text)).map(({ requestId }) => requestId);
      expect([text, await log.find({ text }, limit)]).toEqual([text, expected]);
    }
  }
  const { items, searched_back_to } = await log.page({ ...EVERY_CHECK, text: 'absent', limit: 50, cursor: null });
  const searchedTo = new Date((1.5 * MAX_SEARCHED + 1) * 1000).toISOString();
  expect([items, searched_back_to]).toEqual([[], searchedTo]);
  const { checks: counted, counted_back_to } = await log.summary(EVERY_CHECK);
  expect(counted).toEqual({ allow: MAX_SEARCHED, warn: 0, block: 0 });
  expect(counted_back_to).toBe(searchedTo);
});

test('filters by coverage, caution, model version, way, list and reason, alone and together', async () => {
  await using directory = temporaryDirectory();
  const checks = checksOf(2000);
  using log = openChecks(directory.path, checks);
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
    expect([filter, await log.find(filter, 50)]).toEqual([filter, expected.map(({ requestId }) => requestId)]);
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
