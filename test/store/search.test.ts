import { expect, test } from 'bun:test';
import { createRequestId } from '#src/base/request-id.ts';
import {
  isInHostOrPath,
  MAX_LOOKED_AT,
  type NextChecks,
  searchChecks,
  summarizeChecks,
  textKey,
} from '#src/store/read/search.ts';

/** A log of so many checks, one a second, of which every thousandth is of another host. */
function logOf(count: number) {
  const checks = Array.from({ length: count }, (_, i) => ({
    requestId: createRequestId((count - i) * 1000),
    url: i % 1000 === 999 ? `https://rare.example/${i}` : `https://common.example/${i}`,
    decision: 'allow' as const,
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

async function pagesOf(next: NextChecks, key: string, limit: number) {
  const pages: string[][] = [];
  let afterId: string | null = null;
  do {
    const { requestIds, goesOnAfter } = await searchChecks(next, { key, afterId, limit });
    pages.push([...requestIds]);
    afterId = goesOnAfter;
  } while (afterId !== null);
  return pages;
}

test.each([1, 3, 500])('pages of %d together are all that a log holds, however far apart that lies', async (limit) => {
  const { checks, next } = logOf(2.5 * MAX_LOOKED_AT);
  for (const key of ['rare', 'absent', 'example/12499']) {
    const expected = checks.filter(({ url }) => url.includes(key)).map(({ requestId }) => requestId);
    expect([key, (await pagesOf(next, key, limit)).flat()]).toEqual([key, expected]);
  }
});

test('one page looks at so many checks and no more, and says where it ended', async () => {
  const { checks, next, looked } = logOf(3 * MAX_LOOKED_AT);
  const { requestIds, goesOnAfter, isBounded } = await searchChecks(next, { key: 'absent', afterId: null, limit: 50 });
  expect([requestIds, isBounded, looked()]).toEqual([[], true, MAX_LOOKED_AT]);
  expect(goesOnAfter).toBe(checks[MAX_LOOKED_AT - 1]?.requestId ?? '');
  const { checks: counted, counted_back_to } = await summarizeChecks(next, null);
  expect(counted).toEqual({ allow: MAX_LOOKED_AT, warn: 0, block: 0 });
  expect(counted_back_to).toBe(new Date((2 * MAX_LOOKED_AT + 1) * 1000).toISOString());
});

test('a text is looked for in host and path, whatever its case, and nowhere else', () => {
  const url = 'https://Login.Example:8443/Path/x?secret=path2#frag';
  for (const text of ['login.example', 'EXAMPLE:8443/pa', 'path/X', ' x ', 'https://login']) {
    expect([text, isInHostOrPath(url, textKey(text) ?? '')]).toEqual([text, true]);
  }
  for (const text of ['secret', 'path2', 'frag', '?', 'https:']) {
    expect([text, isInHostOrPath(url, textKey(text) ?? '')]).toEqual([text, false]);
  }
  expect(['', ' ', 'https://', null].map(textKey)).toEqual([null, null, null, null]);
});
