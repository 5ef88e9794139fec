import { describe, expect, test } from 'bun:test';
import { brandAnalyzer, brandOf, readBrands } from '#src/engine/analyzers/brand.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { createRandom } from '#test/support/random.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';

const read = (url: string) => readBrands(targetOf(url), knowledge);
const observations = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
const features = (url: string) =>
  brandAnalyzer.analyze({ target: targetOf(url), brands: read(url), knowledge, observations, page: null })?.features ??
  [];

describe('names a brand outside its own domains', () => {
  test.each([
    ['paypal.com.evil.example', 'brand.domain_in_host'],
    ['allegro.pl-oferta123.shop', 'brand.domain_in_host'],
    ['paypal.evil.example', 'brand.name_in_subdomain'],
    ['paypa1.example', 'brand.look_alike'],
    ['xn--pypal-4ve.com', 'brand.look_alike'],
    ['paypal-login.example', 'brand.name_with_addition'],
    ['netflix-login.weebly.com', 'brand.name_on_platform'],
    ['qqcoinbaseqq.example', 'brand.name_inside_word'],
    ['papyal-login.example', 'brand.misspelling'],
    ['dhl-verify.top', 'brand.common_word_with_cause'],
    ['coinbase.top', 'brand.other_suffix'],
    ['dropbox.uk.com', 'brand.other_suffix'],
    ['orange.uk.com', 'brand.common_word_with_cause'],
    ['paypal.duckdns.org', 'brand.name_on_platform'],
    ['evil.top/paypal/login', 'brand.name_in_path'],
    ['sites.google.com/view/metamask-login', 'brand.name_in_path'],
    ['http://paypal.com@evil.example/', 'brand.name_before_at'],
    ['www.paypal.com/signin', 'brand.own_domain'],
  ])('%s', (url, name) => {
    expect(features(url).map((feature) => feature.name as string)).toEqual([name]);
  });

  test('a word that is common on sites about the brand lowers the value, unless there is a lure as well', () => {
    const valuesOf = (url: string) => features(url).map(({ value }) => value);
    expect(valuesOf('paypal-sucks.example')).toEqual([0.15]);
    expect(valuesOf('fans-of-paypal.example')).toEqual([0.15]);
    expect(valuesOf('paypal-quux.example')).toEqual([0.6]);
    expect(valuesOf('paypal-fans-login.example')).toEqual([1]);
  });
});

test('a service that others show under a subdomain of their own sites is hardly imitated there, without another cause', () => {
  const value = (url: string) => features(url).map((feature) => [feature.name as string, feature.value]);
  for (const host of ['reddit.hausboot.de', 'youtube.hausboot.de', 'tiktok.hausboot.de', 'quora.hausboot.de'])
    expect([host, value(host)]).toEqual([host, [['brand.name_in_subdomain', 0.15]]]);
  const whole = ['reddit.login-hausboot.de', 'reddit.hausboot.top', 'www.reddit.de.hausboot.de', 'paypal.hausboot.de'];
  for (const host of whole) expect([host, value(host)[0]?.[1]]).toEqual([host, 1]);
  expect(features('whoogle.hausboot.de')).toEqual([]);
});

test('a bare brand name under a suffix of a reseller has the maximum value', () => {
  expect(['dropbox.uk.com', 'paypal.eu.org'].map((url) => features(url)[0]?.value)).toEqual([1, 1]);
  expect(said(features('dropbox.uk.com')[0])).toContain('.uk.com');
});

describe('has no finding for a legitimate owner of the name', () => {
  test.each([
    'chase.example',
    'orange-county.example',
    'steam-engine.example',
    'target.example',
    'ups.example',
    'apple-orchard.example',
    'wikipedia.org/wiki/paypal/login',
    'en.wikipedia.org/wiki/PayPal',
    'paypal.hu',
    'evil.example/paypal',
    'paypal.com.akadns.net',
    '192.0.2.1/',
  ])('%s', (url) => {
    expect(features(url).filter((feature) => feature.name !== 'brand.own_domain')).toEqual([]);
  });
});

test('the message contains what was found and the brand’s domain', () => {
  expect(said(features('secure.paypal.evil.example')[0])).toBe(
    "The host contains “paypal”, but paypal.com is PayPal's domain.",
  );
  expect(said(features('fortnite-skins.top')[0])).toContain('fortnite.com is Epic Games');
});

test('a URL is attributed to a brand, with confidence 1 on the brand’s domain', () => {
  expect(brandOf(read('www.paypal.com'))).toMatchObject({ brand: { name: 'PayPal' }, confidence: 1 });
  expect(brandOf(read('paypal-login.example'))).toMatchObject({ brand: { name: 'PayPal' } });
  expect(brandOf(read('nothing.example'))).toBeNull();
});

test('for any URL, values are in [0, 1], names are listed, and messages are plain text', () => {
  const random = createRandom(6);
  const words = [
    'paypal',
    'dhl',
    'chase',
    '-',
    'xn--pypal-4ve',
    '1',
    '.',
    'rn',
    'apple',
    'login',
    'metamask',
    'com',
    'microsoft',
  ];
  for (let round = 0; round < 3000; round++) {
    const host = Array.from({ length: 1 + random.below(8) }, () => random.pick(words)).join('');
    const suffix = random.pick(['example', 'top', 'weebly.com', 'github.io', 'com']);
    const url = `http://${host}.${suffix}/${random.text(20, 'paypl/<>"&=\u001b')}`;
    if (!URL.canParse(url)) continue;
    const found = features(url);
    expect(found.length).toBeLessThanOrEqual(3);
    for (const feature of found) {
      const { name, value } = feature;
      expect(brandAnalyzer.features).toContain(name);
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(said(feature)).toMatch(/^[\p{L}\p{N}“”.,’'@ /&+*-]+$/u);
    }
    const confidence = brandOf(read(url))?.confidence ?? 0;
    expect(confidence).toBeGreaterThanOrEqual(0);
    expect(confidence).toBeLessThanOrEqual(1);
  }
});
