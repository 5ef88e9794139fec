import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import type { Assessment } from '#src/engine/fusion/assessment.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type Observations, unobserved } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import type { Observation } from '#src/network/probes/probe.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const NO_LISTS = { state: 'skipped', reason: 'disabled' } as const;
const NOTHING = unobserved('disabled', NO_LISTS);
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

const judge = (url: string, observations: Observations = NOTHING): Assessment =>
  assess(targetOf(url), observations, MODELS, SETTINGS);

describe('the engine', () => {
  test('gives reasons that add up to the answer, each in a sentence', () => {
    for (const url of URLS) {
      const { verdict } = judge(url);
      const sum = verdict.contributions.reduce((total, { weight }) => total + weight, verdict.baseLogOdds);
      expect(Math.abs(sum - Math.log(verdict.probability / (1 - verdict.probability)))).toBeLessThan(1e-6);
      for (const { message } of verdict.contributions) expect(message).toMatch(/^[^\s].*[.!?…]$/s);
    }
  });

  test('gives the same answer to the same question', () => {
    for (const url of URLS) expect(judge(url)).toEqual(judge(url));
  });

  test('adds exactly nothing for what could not be looked at, whatever kept it', () => {
    const failed: Observation<never> = { state: 'failed', failure: { code: 'timeout', detail: 'x' }, elapsedMs: 1 };
    const resting: Observation<never> = { state: 'skipped', reason: 'circuit_open' };
    for (const url of URLS) {
      const { verdict } = judge(url);
      for (const missing of [failed, resting]) {
        const seen = { ...NOTHING, dns: missing, registration: missing, certificate: missing, page: missing };
        expect(judge(url, seen).verdict).toEqual(verdict);
      }
    }
  });

  test('judges a wrapped link at least as sternly as what it wraps', () => {
    const wrapped = `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(PHISHING)}&data=05`;
    const { verdict, unwrappedUrls } = judge(wrapped);
    expect(unwrappedUrls).toContain(PHISHING);
    expect(verdict.probability).toBeGreaterThanOrEqual(judge(PHISHING).verdict.probability);
    expect(verdict.contributions[0]?.message).toContain('The link leads on to ');
  });

  test('names the domains of the brand that a URL claims', () => {
    expect(judge(PHISHING).brand).toMatchObject({ name: 'PayPal', domains: expect.arrayContaining(['paypal.com']) });
    expect(judge('https://nothing.example/').brand).toBeNull();
  });

  test('and of the one that its page claims, without patterns', () => {
    const target = targetOf('https://neutral-host.test/');
    const html = new TextEncoder().encode('<title>Google</title><p>© Google LLC<form><input type=password></form>');
    const document = readPage(html, { contentType: 'text/html; charset=utf-8', url: target.url });
    const value = visitOf(target, { contentLength: html.length, document });
    const { brand } = judge(target.url, { ...NOTHING, page: { state: 'observed', value, elapsedMs: 0 } });
    expect(brand?.name).toBe('Google');
    for (const domain of brand?.domains ?? []) expect(domain).toMatch(/^[a-z0-9.-]+$/);
  });

  test('lets the lists of the operator decide', () => {
    const hit = { list: 'ours.txt', entry: 'x', line: 1 };
    const on = (value: { blocked: typeof hit | null; allowed: typeof hit | null }): Observations => ({
      ...NOTHING,
      lists: { state: 'observed', value, elapsedMs: 0 },
    });
    expect(judge('https://www.wikipedia.org/', on({ blocked: hit, allowed: null })).decision).toBe('block');
    expect(judge(PHISHING, on({ blocked: null, allowed: hit })).decision).toBe('allow');
    expect(judge('https://www.wikipedia.org/', on({ blocked: hit, allowed: hit })).decision).toBe('block');
  });

  test('is moved by the base rate as Bayes has it', () => {
    const at = (baseRate: number) =>
      assess(targetOf(PHISHING), NOTHING, MODELS, { ...SETTINGS, baseRate }).verdict.baseLogOdds;
    expect(at(0.5)).toBe(0);
    expect(at(0.05)).toBeCloseTo(Math.log(0.05 / 0.95), 12);
  });
});
