import { expect, test } from 'bun:test';
import file from '#src/core/knowledge/brands/brand-service-domains.json' with { type: 'json' };
import { parseHost } from '#src/core/url/host.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';

const { brands, hostFact, popularityOf } = knowledge;
const ownersOf = (url: string) => brands.ownersOf(targetOf(url).host).map(({ name }) => name);

test.each([
  ['autologon.microsoftazuread-sso.com', 'Microsoft'],
  ['login.microsoftonline-p.com', 'Microsoft'],
  ['p16.tiktokcdn-eu.com', 'TikTok'],
  ['edge.adobedc.net', 'Adobe'],
  ['wl.amazon-dss.com', 'Amazon'],
  ['app-measurement.com', 'Google'],
  ['t.notif-colissimo-laposte.info', 'Colissimo (La Poste)'],
])('a host of programs, %s, is its brand’s own', (url, brand) => {
  expect(ownersOf(url)).toContain(brand);
});

test.each(['tiktokcdn-eu.com.example', 'microsoftazuread-sso.co', 'my-adobedc.net', 'paypal-support.com'])(
  'a name like one of them, %s, has no owner',
  (url) => {
    expect(ownersOf(url)).toEqual([]);
  },
);

test('every entry is a whole domain of a listed brand and no platform', () => {
  const names = new Set(brands.all.map(({ name }) => name));
  for (const [name, lines] of Object.entries(file.entries)) {
    expect(names).toContain(name);
    for (const domain of lines.flatMap((line) => line.split(' '))) {
      const host = parseHost(domain);
      expect([domain, host?.site, host && hostFact(host)]).toEqual([domain, domain, null]);
    }
  }
});

test('a service that other sites embed counts as popular', () => {
  expect(popularityOf(targetOf('geo.captcha-delivery.com/captcha/'))).toBe(5);
  expect(popularityOf(targetOf('captcha-delivery.co'))).toBeNull();
});
