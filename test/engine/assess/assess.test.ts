import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type Observation, type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';

const NO_LISTS = { state: 'skipped', reason: 'disabled' } as const;
const NOTHING = skippedObservations('disabled', NO_LISTS);
const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';
const URLS = [
  PHISHING,
  'https://www.wikipedia.org/',
  'https://www.paypal.com/signin',
  'http://user:pw@192.0.2.7:8080/a/b?c=d',
  'https://xn--pypal-4ve.com/',
  'https://someone.github.io/login.html',
  'https://example.com/?next=http%3A%2F%2Fpaypal-login.verify.cyou%2Fsignin',
];

const classify = (url: string, observations: Observations = NOTHING): Assessment =>
  assess(targetOf(url), observations, MODELS, SETTINGS);

describe('the engine', () => {
  test('returns reasons that add up to the probability, each with a sentence', () => {
    for (const url of URLS) {
      const { verdict } = classify(url);
      const sum = verdict.contributions.reduce((total, { weight }) => total + weight, verdict.baseLogOdds);
      expect(Math.abs(sum - Math.log(verdict.probability / (1 - verdict.probability)))).toBeLessThan(1e-6);
      for (const reason of verdict.contributions) expect(said(reason)).toMatch(/^[^\s].*[.!?…]$/s);
    }
  });

  test('is deterministic', () => {
    for (const url of URLS) expect(classify(url)).toEqual(classify(url));
  });

  test('adds exactly 0 for a missing observation, whatever the reason', () => {
    const failed: Observation<never> = { state: 'failed', failure: { code: 'timeout', detail: 'x' }, elapsedMs: 1 };
    const resting: Observation<never> = { state: 'skipped', reason: 'circuit_open' };
    for (const url of URLS) {
      const { verdict } = classify(url);
      for (const missing of [failed, resting]) {
        const seen = { ...NOTHING, dns: missing, registration: missing, certificate: missing, page: missing };
        expect(classify(url, seen).verdict).toEqual(verdict);
      }
    }
  });

  test('scores a wrapping link at least as high as the wrapped URL', () => {
    const wrapped = `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(PHISHING)}&data=05`;
    const { verdict, unwrappedUrls } = classify(wrapped);
    expect(unwrappedUrls).toContain(PHISHING);
    expect(verdict.probability).toBeGreaterThanOrEqual(classify(PHISHING).verdict.probability);
    expect(said(verdict.contributions[0])).toContain('The link leads on to ');
  });

  test('names the domains of the brand that a URL claims', () => {
    expect(classify(PHISHING).brand).toMatchObject({ name: 'PayPal', domains: expect.arrayContaining(['paypal.com']) });
    expect(classify('https://nothing.example/').brand).toBeNull();
  });

  test('names the domains of the brand that its page claims, without patterns', () => {
    const target = targetOf('https://neutral-host.test/');
    const html = new TextEncoder().encode('<title>Google</title><p>© Google LLC<form><input type=password></form>');
    const document = readPage(html, { contentType: 'text/html; charset=utf-8', url: target.url });
    const value = visitOf(target, { contentLength: html.length, document });
    const { brand } = classify(target.url, { ...NOTHING, page: { state: 'observed', value, elapsedMs: 0 } });
    expect(brand?.name).toBe('Google');
    for (const domain of brand?.domains ?? []) expect(domain).toMatch(/^[a-z0-9.-]+$/);
  });

  test('applies the lists of the operator', () => {
    const hit = { list: 'ours.txt', entry: 'x', line: 1 };
    const on = (value: { blocked: typeof hit | null; allowed: typeof hit | null }): Observations => ({
      ...NOTHING,
      lists: { state: 'observed', value, elapsedMs: 0 },
    });
    expect(classify('https://www.wikipedia.org/', on({ blocked: hit, allowed: null })).decision).toBe('block');
    expect(classify(PHISHING, on({ blocked: null, allowed: hit })).decision).toBe('allow');
    expect(classify('https://www.wikipedia.org/', on({ blocked: hit, allowed: hit })).decision).toBe('block');
  });

  test('shifts by the base rate according to Bayes', () => {
    const at = (baseRate: number) =>
      assess(targetOf(PHISHING), NOTHING, MODELS, { ...SETTINGS, baseRate }).verdict.baseLogOdds;
    expect(at(0.5)).toBe(0);
    expect(at(0.05)).toBeCloseTo(Math.log(0.05 / 0.95), 12);
  });
});
