import { expect, test } from 'bun:test';
import type { Row } from '#src/training/data/dataset.ts';
import { honestNamesOf, withheldUse } from '#src/training/data/honest-labels.ts';
import { prepare } from '#src/training/data/prepare.ts';
import { knowledge } from '#test/support/knowledge.ts';

const rowOf = (canon: string, source: string, phishing = false): Row => {
  const site = canon.split('/', 1)[0] ?? '';
  return { phishing, source, date: '', canon, site, hosted: site.endsWith('.weebly.com'), bare: site === canon };
};
const shops = Array.from({ length: 800 }, (_, at) => `oak${at}garden.com`);

test('withholds few honest sites of shops and of users of platforms, by site, and nothing else', () => {
  const withheld = (rows: readonly Row[]) =>
    rows.filter((row) => withheldUse(row, knowledge) !== null).map(({ site }) => site);
  const chosen = withheld(shops.map((site) => rowOf(site, 'shopify_5000')));
  expect(chosen.length).toBeGreaterThan(20);
  expect(chosen.length).toBeLessThan(100);
  expect(withheld(shops.map((site) => rowOf(`${site}/products`, 'shopify_5000')))).toEqual(chosen);
  expect(withheld(shops.map((site) => rowOf(site, 'hipo_universities')))).toEqual([]);
  expect(withheld(shops.map((site) => rowOf(site, 'shopify_5000', true)))).toEqual([]);
  const users = withheld(Array.from({ length: 100 }, (_, at) => rowOf(`team${at}.weebly.com`, 'jser_info')));
  expect(users.length).toBeGreaterThan(5);
  const uses = new Set(shops.map((site) => withheldUse(rowOf(site, 'shopify_5000'), knowledge)));
  expect(uses).toEqual(new Set([null, 'fitted', 'tested']));
});

test('counts distinct honest sites by suffix, without moved names and phishing, and names the withheld', () => {
  const rows = prepare(
    [
      rowOf('oak.shop', 'shopify_5000'),
      rowOf('oak.shop/a', 'shopify_5000'),
      rowOf('elm.shop', 'moved_names'),
      rowOf('bad.shop', 'certpl_domains', true),
    ],
    knowledge,
  );
  const withheld = prepare(
    [rowOf('ash-bakery.com', 'shopify_5000'), rowOf('troop118.weebly.com', 'jser_info')],
    knowledge,
  );
  const names = prepare([rowOf('fir.shop', 'https_sites')], knowledge);
  const found = honestNamesOf({
    rows,
    names,
    withheld,
    popularity: [{ site: 'pine.shop', label: 'pine', rank: 1000 }],
  });
  expect(found.domains).toEqual(['ash-bakery']);
  expect(found.users).toEqual(['troop118']);
  expect(found.sites.get('shop')).toBe(3);
});
