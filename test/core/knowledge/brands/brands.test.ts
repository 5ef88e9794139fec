import { describe, expect, test } from 'bun:test';
import { readBrandTable } from '#src/core/knowledge/brands/brands.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';

const ownersOf = (url: string) => knowledge.brands.ownersOf(targetOf(url).host).map(({ name }) => name);

describe('a brand owns its domains, in every country', () => {
  test.each([
    ['www.paypal.com/signin', 'PayPal'],
    ['paypal.de', 'PayPal'],
    ['www.amazon.co.jp/ap/signin', 'Amazon'],
    ['www.amazon.com.br', 'Amazon'],
    ['www.mercadolibre.com.co', 'Mercado Libre'],
    ['www.google.gg', 'Google'],
    ['login.microsoftonline.com/common/oauth2', 'Microsoft'],
    ['appleid.apple.com', 'Apple'],
    ['www.tax.service.gov.uk', 'GOV.UK / HMRC'],
    ['ebay-kleinanzeigen.de', 'Kleinanzeigen'],
    ['online.bankofamerica.com', 'Bank of America'],
  ])('%s', (url, owner) => {
    expect(ownersOf(url)).toContain(owner);
  });
});

describe('a name of a brand under a country suffix that no published list names may be the brand’s, or not', () => {
  test.each([
    ['www.nintendo.fr', 'Nintendo'],
    ['paypal.com.ag', 'PayPal'],
    ['secure.paypal.li', 'PayPal'],
  ])('%s', (url, brand) => {
    const target = targetOf(url);
    expect(ownersOf(url)).toEqual([]);
    expect(knowledge.brands.possibleOwnersOf(target.host).map(({ name }) => name)).toEqual([brand]);
    expect(knowledge.brandMatcher.find(target)).toEqual([]);
  });

  test.each(['paypal.de', 'paypal.cc', 'paypal-login.com.ag', 'paypal.github.io', '192.0.2.1'])('not %s', (url) => {
    expect(knowledge.brands.possibleOwnersOf(targetOf(url).host)).toEqual([]);
  });
});

describe('a name that anyone can register, or publish on a platform, has no owner', () => {
  test.each([
    'paypal.cc',
    'paypal.tk',
    'nintendo.gg',
    'nintendo.ly',
    'amazon.me',
    'docusign.co',
    'ebay.com.ws',
    'paypal.xyz',
    'paypal-login.com',
    'paypal.com.example',
    'notpaypal.com',
    'microsoft.github.io',
    'google.web.app',
    'netflix.weebly.com',
    'amazon.s3.amazonaws.com',
    '192.0.2.1',
    '[2001:db8::1]',
  ])('%s', (url) => {
    expect(ownersOf(url)).toEqual([]);
  });
});

test('every brand owns its first domain, and no alias is listed twice', () => {
  const aliases = knowledge.brands.all.flatMap((brand) => brand.aliases.map(({ name }) => name));
  expect(aliases.filter((name, index) => aliases.indexOf(name) !== index)).toEqual([]);
  for (const brand of knowledge.brands.all) {
    const [main = ''] = brand.domains;
    expect({ brand: brand.name, owns: ownersOf(main).includes(brand.name) }).toEqual({ brand: brand.name, owns: true });
  }
});

test('a damaged table is refused with the name of its file', () => {
  const file = { source: 'a', retrieved: '2026-01-31', licence: 'b' };
  for (const entry of [{}, { name: 'A' }, { name: 'A', domains: 'a.example', names: 'Big Name' }, null]) {
    expect(() => readBrandTable({ ...file, entries: [entry] })).toThrow('brands.json');
  }
});
