import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { packReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { FILE_TABLES } from '#src/checks/store/read/find-checks.ts';
import { searchCondition } from '#src/checks/store/read/history-pages.ts';
import { searchTest } from '#src/checks/store/read/search.ts';
import type { SearchFilter } from '#src/checks/store/scan-log.ts';
import { REASONS } from '#src/engine/reasons/catalogue.ts';

const URLS = [
  'https://shop.example/a%20b/C?next=shop.example/x#part',
  'http://user@xn--bcher-kva.example:8443/',
  'https://a.example/',
  'https://b.example/?u=https://shop.example/a',
  'https://c.example/#shop',
  'https://d.example/Https/100%25_x',
  'http://[2001:db8::1]/a',
  'shop.example without a scheme',
];

const TEXTS = [
  'shop',
  'SHOP.example/a',
  'https',
  'http://[2001',
  '://',
  '?',
  'c?next',
  '#',
  '/',
  '%',
  '_',
  'x',
  'a',
  'é',
  "'",
];

/** Returns the URLs that SQLite and the test find by a filter. */
function bothOf(
  rows: readonly { readonly url: string; readonly reasons: Buffer | null }[],
  filter: Partial<SearchFilter>,
) {
  using database = new Database(':memory:');
  database.run('create table checks (url text, reasons blob)');
  const insert = database.query('insert into checks values (?, ?)');
  for (const { url, reasons } of rows) insert.run(url, reasons);
  const asked = { ...EVERY_CHECK, ...filter };
  const found = drizzle(database).all<{ url: string }>(
    sql`select url from checks where ${searchCondition(FILE_TABLES, asked) ?? sql`true`} order by rowid`,
  );
  const rest = {
    requestId: '',
    decision: 'allow',
    coverage: null,
    caution: null,
    via: null,
    modelVersion: null,
  } as const;
  const isMeant = searchTest(asked) ?? (() => true);
  const expected = rows.filter((row) => isMeant({ ...rest, list: null, entry: null, listOwner: null, ...row }));
  return [found.map(({ url }) => url), expected.map(({ url }) => url)];
}

test.each(TEXTS)('SQLite finds the text %p in the same hosts and paths as the test', (text) => {
  const [found, expected] = bothOf(
    URLS.map((url) => ({ url, reasons: null })),
    { text },
  );
  expect(found).toEqual(expected ?? []);
});

test('SQLite finds each reason in the same checks as the test, whatever bytes are beside it', () => {
  const codes = [...new Set(REASONS.map(([, code]) => code))];
  const rows = Array.from({ length: 400 }, (_, n) => {
    const some = codes.filter((_, at) => (at * 7 + n * 13) % 31 === 0);
    const reasons = packReasons(some.map((code, at) => ({ code, weight: ((n + at) % 25) / 10 - 1.2 })));
    return { url: `https://${n}.example/`, reasons: n % 50 === 0 ? null : reasons };
  });
  for (const reason of [...codes, 'page.no_such_reason']) {
    const [found, expected] = bothOf(rows, { reason });
    expect([reason, found]).toEqual([reason, expected]);
  }
});
