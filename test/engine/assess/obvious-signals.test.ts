import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const classify = (url: string) => {
  const nothing = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
  return assess(targetOf(url), nothing, MODELS, SETTINGS);
};

describe('warns about or blocks an obvious signal on an unknown site', () => {
  test.each([
    ['http://203.0.113.7/', 'url.address_as_host'],
    ['https://198.51.100.20:8443/', 'url.address_as_host'],
    ['http://45.77.12.9/index.html', 'url.address_as_host'],
    ['http://185.12.4.9/ArcGIS/rest/services', 'url.address_as_host'],
    ['http://[2a01:4f8::1]/', 'url.address_as_host'],
    ['http://0x2d4d0c09/about', 'url.address_as_host'],
    ['https://аррӏе.com/', 'brand.look_alike'],
    ['https://xn--80ak6aa92e.com/news', 'brand.look_alike'],
    ['https://xn--pypal-4ve.com/about/us', 'brand.look_alike'],
    ['https://ѕаmѕung.de/', 'brand.look_alike'],
    ['https://аmazon-shop.de/', 'brand.look_alike'],
    ['https://user:pw@evil.example:8443/login', 'url.credentials_before_host'],
    ['https://admin:x@some-blog.de/posts/2024/hello-world', 'url.credentials_before_host'],
    ['https://www.some-bank.de@evil.example/', 'url.credentials_before_host'],
    ['https://paypal.com.evil.example/about', 'url.brand_left_of_domain'],
    ['https://www.paypal.com.some-blog.de/posts/hello', 'url.brand_left_of_domain'],
    ['https://paypal.some-blog.de/', 'url.brand_left_of_domain'],
    ['https://amazon.de.kleingarten-verein.org/aktuelles', 'url.brand_left_of_domain'],
    ['http://a..b/', 'url.impossible_host'],
    ['http://www..some-shop.de/', 'url.impossible_host'],
    ['http://some-shop.de../', 'url.impossible_host'],
    ['http://-/', 'url.impossible_host'],
    ['http://foo.invalidtld/', 'url.impossible_host'],
    ['https://shop.comm/login', 'url.impossible_host'],
    [`https://${'a'.repeat(64)}.de/`, 'url.impossible_host'],
  ])('%s: %s', (url, code) => {
    const { decision, verdict } = classify(url);
    expect(decision).not.toBe('allow');
    expect(verdict.contributions.filter((reason) => reason.code === code && reason.weight > 0)).toHaveLength(1);
  });
});

describe('allows what only resembles an obvious signal', () => {
  test.each([
    // Hobby sites with a brand in their name.
    'https://lego-fans-ulm.de/',
    'https://www.apple-user-group-bern.ch/',
    'https://bmw-oldtimer-club.de/treffen',
    'https://tesla-owners.org.uk/',
    'https://nintendo-museum.net/',
    'https://paypal-sucks.org/',
    // Front ends of their own.
    'https://reddit.hausboot.de/',
    'https://youtube.hausboot.de/watch?v=abc',
    // Names in their own letters.
    'https://müller-bäckerei.de/',
    'https://пример.рф/',
    'https://почта-музей.рф/',
    'https://日本語.jp/',
    'https://café-central.at/karte',
    // Addresses of the operator's own network.
    'http://192.168.1.1/login',
    'http://admin:admin@192.168.1.1/',
    'http://10.0.0.5:8080/dashboard',
    'https://172.16.4.2/',
    'http://[fd12::1]/',
    'http://127.0.0.1:3000/',
    // Names that a local resolver knows.
    'http://intranet/',
    'http://printer.local/',
    'https://wiki.corp/start',
    'http://nas.home.arpa/',
    'http://user.github.io/',
    // Known sites, and tools named after nobody.
    'https://git@github.com/torvalds/linux',
    'https://gitlab.gnome.org/GNOME',
    'https://jira.nordhafen-ag.de/',
    'https://www.paypal.com/signin',
  ])('%s', (url) => {
    const { decision, verdict } = classify(url);
    expect(decision).toBe('allow');
    const plain =
      /^url\.(?:address_as_host|homograph_of_brand|brand_left_of_domain|credentials_before_host|impossible_host)$/;
    expect(verdict.contributions.filter(({ code }) => plain.test(code))).toEqual([]);
  });
});

test('several signals together add as much as one of them', () => {
  const one = classify('https://user:pw@evil.example/');
  const two = classify('https://user:pw@paypal.evil.example/');
  expect(two.verdict.contributions.filter(({ code }) => /left_of|before_host/.test(code))).toHaveLength(2);
  for (const { verdict } of [one, two]) {
    const sum = verdict.contributions.reduce((total, { weight }) => total + weight, verdict.baseLogOdds);
    expect(Math.abs(sum - verdict.logOdds)).toBeLessThan(1e-6);
    expect(verdict.probability).toBeLessThan(SETTINGS.thresholds.block);
  }
});
