import { describe, expect, test } from 'bun:test';
import type { BrandMatch } from '#src/core/knowledge/brands/brand-match.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { createRandom } from '#test/support/random.ts';
import { targetOf } from '#test/support/target.ts';

const find = (url: string) => knowledge.brandMatcher.find(targetOf(url));

describe('a brand name is found with its position', () => {
  const cases: [string, string, BrandMatch['part'], BrandMatch['likeness'], BrandMatch['extent']][] = [
    ['paypal-login.com', 'PayPal', 'site', 'exact', 'token'],
    ['mypaypalsecure.top', 'PayPal', 'site', 'exact', 'lure'],
    ['secure.paypal.com.evil.example', 'PayPal', 'subdomain', 'exact', 'label'],
    ['paypa1.com', 'PayPal', 'site', 'look_alike', 'label'],
    ['arnazon.co', 'Amazon', 'site', 'look_alike', 'label'],
    ['rnicrosoft-support.com', 'Microsoft', 'site', 'look_alike', 'token'],
    ['lnpost-paczka.shop', 'InPost', 'site', 'look_alike', 'token'],
    ['xn--pypal-4ve.com', 'PayPal', 'site', 'homoglyph', 'label'],
    ['xn--80ak6aa92e.com', 'Apple', 'site', 'homoglyph', 'label'],
    ['papyal.example', 'PayPal', 'site', 'typo', 'label'],
    ['citbiank.example', 'Citi', 'site', 'typo', 'label'],
    ['postbbank.example', 'Postbank', 'site', 'typo', 'label'],
    ['postban.example', 'Postbank', 'site', 'typo', 'label'],
    ['paypall.example', 'PayPal', 'site', 'typo', 'label'],
    ['my-netflixx.example', 'Netflix', 'site', 'typo', 'token'],
    ['facebooᴋ.com', 'Facebook', 'site', 'homoglyph', 'label'],
    ['ɢoogle.com', 'Google', 'site', 'homoglyph', 'label'],
    ['ɢithub.com', 'GitHub', 'site', 'homoglyph', 'label'],
    ['app1e.example', 'Apple', 'site', 'look_alike', 'label'],
    ['paypal.kantor.go.id', 'PayPal', 'subdomain', 'exact', 'label'],
    ['coinbasse-wallet.com', 'Coinbase', 'site', 'typo', 'token'],
    ['credit-agricole-connexion.fr', 'Crédit Agricole', 'site', 'exact', 'token'],
    ['netflix.weebly.com', 'Netflix', 'site', 'exact', 'label'],
    ['login.netflix-x.webcindario.com', 'Netflix', 'site', 'exact', 'token'],
    ['evil.example/paypal/login', 'PayPal', 'path', 'exact', 'token'],
    ['http://paypal.com@evil.example/', 'PayPal', 'user', 'exact', 'token'],
    ['http://paypal.com@192.0.2.1/', 'PayPal', 'user', 'exact', 'token'],
  ];
  test.each(cases)('%s', (url, brand, part, likeness, extent) => {
    expect(find(url)).toContainEqual(
      expect.objectContaining({ brand: expect.objectContaining({ name: brand }), part, likeness, extent }),
    );
  });
});

describe('ordinary words and own domains are not matched', () => {
  test.each([
    'www.paypal.com/signin?continue=google',
    'purchase.com',
    'pineapple.com',
    'groups.example',
    'canvas.example',
    'interactive.example',
    'revolution.example',
    'steamboat.example',
    'metadata.example',
    'orangery.example',
    'switch.example',
    'user.wordpress.com',
    'sites.example/pineapple/groups',
    // Another word, in which a brand's name stands by chance.
    'tickets.openair-waldhof.de',
    'openaid-sahel.org',
    'gamingdirectory.com',
    'bitcoinbase.org',
    // A number of the thing, and letters of another word.
    'team5.example',
    'post4me.example',
    'govind.example',
    'webmail.example',
    // Words that honest sites are called.
    'applied-privacy.net',
    'costbank.example',
    'citybank.example',
    // Nobody but an authority or a school can register these.
    'paypal.go.id',
    'chase.ac.uk',
    'usps.edu.hn',
  ])('%s', (url) => {
    expect(find(url)).toEqual([]);
  });
});

describe('a program that organisations run themselves', () => {
  test.each(['cpanel', 'zimbra', 'roundcube', 'bitwarden', 'sharepoint'])('%s is no claim as a subdomain', (name) => {
    expect(find(`${name}.stadtwerke-muster.de`)).toEqual([]);
    expect(find(`${name}.intern.stadtwerke-muster.de:8443`)).toEqual([]);
    for (const host of [`${name}-login.weebly.com`, `${name}.weebly.com`, `login-${name}.muster.de`, `${name}-mail.de`])
      expect([host, find(host).length]).toEqual([host, 1]);
  });
});

test('the weight of a name determines if it needs a second cause', () => {
  const weights = ['dhl-paket.example', 'chase.example', 'revolut-x.example', 'coinbase.example'].map(
    (url) => find(url)[0]?.weight,
  );
  expect(weights).toEqual(['anywhere', 'second_cause', 'apart', 'anywhere']);
});

test('a name that is also a place needs a second cause within a longer word, but not if it is separated', () => {
  const weightOf = (url: string) => find(url)[0]?.weight;
  expect(weightOf('amazonriver-lodge.com.pe')).toBe('second_cause');
  expect(weightOf('amazon-lodge.com.pe')).toBe('anywhere');
  expect(weightOf('coinbaseriver-lodge.com.pe')).toBe('anywhere');
});

test('every strong name is found next to other words, and with digits instead of letters', () => {
  const missed: string[] = [];
  for (const brand of knowledge.brands.all) {
    for (const { name, weight } of brand.aliases) {
      if (weight !== 'anywhere') continue;
      for (const written of [name, name.replaceAll('o', '0'), name.replaceAll('l', '1'), name.replaceAll('m', 'rn')]) {
        const matches = find(`qq-${written}-qq.example`);
        if (!matches.some((match) => match.brand === brand)) missed.push(written);
      }
    }
  }
  expect(missed).toEqual([]);
});

test('no host throws an error or has more than eight matches', () => {
  const random = createRandom(5);
  const words = ['paypal', 'dhl', '-', '--', 'xn--', '1', '.', 'rn', 'apple', 'a', 'login', 'xn--pypal-4ve', 'ä'];
  for (let round = 0; round < 3000; round++) {
    const host = Array.from({ length: 1 + random.below(12) }, () => random.pick(words)).join('');
    const url = `http://${host}.example/${random.text(40, 'paypl/%?&=._-')}`;
    if (URL.canParse(url)) expect(find(url).length).toBeLessThanOrEqual(8);
  }
});

test('names are searched in as much of a host as DNS can hold', () => {
  const tail = `${'a.'.repeat(100)}example`;
  expect(find(`https://paypal.${tail}/`)).toHaveLength(1);
  expect(find(`https://paypal.${'b'.repeat(60)}.${tail}/`)).toEqual([]);
});

test('the letter case and the escapes of a host do not change the matches', () => {
  for (const host of ['paypal-login.example', 'xn--pypal-4ve.example', 'www.arnazon.example']) {
    const escaped = host.replace('a', '%61');
    expect(find(host.toUpperCase())).toEqual(find(host));
    expect(find(escaped)).toEqual(find(host));
  }
});
