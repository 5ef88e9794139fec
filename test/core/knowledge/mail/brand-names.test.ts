import { expect, test } from 'bun:test';
import { BRAND_NAMES, withMailBrands } from '#src/core/knowledge/mail/mail-senders.ts';
import { claimedBrands } from '#src/engine/mail-verdict/claimed-brands.ts';
import { knowledge } from '#test/support/knowledge.ts';

test('each further name is that of a brand in the tables, which it claims', () => {
  const { inName } = claimedBrands(withMailBrands(knowledge));
  const claims = [...BRAND_NAMES].flatMap(([brand, names]) => names.map((name) => [name, brand] as const));
  expect(claims.filter(([name, brand]) => !inName(name).some((one) => one.name === brand))).toEqual([]);
});
