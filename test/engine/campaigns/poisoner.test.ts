import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '#src/core/base/clock.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Models } from '#src/engine/assess/settings.ts';
import { createCampaigns } from '#src/engine/campaigns/campaigns.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';

import type { Observations } from '#src/network/probes/observations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';
import { LOGIN, seenForm, UNSEEN } from './seen-form.ts';

const START = Date.UTC(2026, 5, 15);
const KIT = '/gykolrhup/start';

/** A service that answers public checks, one per minute. */
function openService(models: Models = MODELS) {
  const campaigns = createCampaigns();
  let nowMs = START;
  return {
    wait(days: number) {
      nowMs += days * DAY_MS;
    },
    check(url: string, client: string, seen: Observations = UNSEEN): Assessment {
      nowMs += 60_000;
      const target = targetOf(url);
      const subject = { target, observations: seen, knowledge: models.knowledge };
      const value = campaigns.find(subject, nowMs);
      const observations = { ...seen, campaign: { state: 'observed', value, elapsedMs: 0 } } as const;
      const assessment = assess(target, observations, models, SETTINGS);
      campaigns.record({ ...subject, client, isSuspicious: assessment.isSuspicious }, nowMs);
      return assessment;
    },
  };
}

/** Returns the weight of the signal in a verdict, in log-odds; 0 if absent. */
function added({ verdict }: Assessment): number {
  return verdict.contributions.find(({ code }) => code.endsWith('_elsewhere'))?.weight ?? 0;
}

/** Synthetic hosts with a suspicious spelling. */
const lure = (index: number) => `http://secure-login-verify${index}-account.top`;

const officeOf = (index: number) => `198.51.${index}.7`;

describe('a campaign', () => {
  test('is detected after three sites by clients of three networks', () => {
    const service = openService();
    const weights = [1, 2, 3, 4, 5, 6, 7].map((index) => added(service.check(`${lure(index)}${KIT}`, officeOf(index))));
    expect(weights).toEqual([0, 0, 0, 0.6, 0.8, 1, 1]);
  });

  test('is reported with its numbers', () => {
    const service = openService();
    for (let index = 0; index < 4; index++) service.check(`${lure(index)}${KIT}`, officeOf(index));
    const reason = service
      .check(`${lure(9)}${KIT}/`, officeOf(9))
      .verdict.contributions.find(({ component }) => component === 'lists');
    expect(reason).toMatchObject({
      code: 'lists.path_elsewhere',
      args: { sites: 4, day: '2026-06-15' },
    });
  });

  test('is also detected by its form, at any path', () => {
    const service = openService();
    const check = (index: number) => {
      const url = `${lure(index)}/${index}`;
      return service.check(url, officeOf(index), seenForm(url, 'Netflix Konto', LOGIN));
    };
    for (let index = 0; index < 4; index++) check(index);
    expect(check(9).verdict.contributions.find(({ component }) => component === 'lists')).toMatchObject({
      code: 'lists.form_elsewhere',
      args: { sites: 4, day: '2026-06-15' },
    });
  });

  test('counts once if both path and form match', () => {
    const service = openService();
    for (let index = 0; index < 9; index++) {
      const url = `${lure(index)}${KIT}`;
      const { verdict } = service.check(url, officeOf(index), seenForm(url, 'Netflix Konto', LOGIN));
      const weights = verdict.contributions
        .filter(({ component }) => component === 'lists')
        .map(({ weight }) => weight);
      expect(weights).toEqual(index < 3 ? [] : [Math.min(1, index / 5)]);
    }
  });

  test('expires after a week', () => {
    const service = openService();
    for (let index = 0; index < 4; index++) service.check(`${lure(index)}${KIT}`, officeOf(index));
    service.wait(7);
    expect(added(service.check(`${lure(9)}${KIT}`, officeOf(9)))).toBe(0);
  });
});

describe('a client that submits links to harm a site', () => {
  // It is doubted, and not warned of: where a push would do most.
  const victim = ['kunden', 'portal', 'garden', 'parcel', 'shop', 'help', 'online', 'club', 'travel', 'verein']
    .flatMap((first, _, words) => words.map((second) => `${first}-${second}`))
    .flatMap((name) => ['de', 'com', 'net', 'org', 'info', 'shop'].map((suffix) => `http://${name}.${suffix}${KIT}`))
    .find((url) => {
      const { decision, isSuspicious } = assess(targetOf(url), UNSEEN, MODELS, SETTINGS);
      return isSuspicious && decision === 'allow';
    });
  if (victim === undefined) throw new Error('no synthetic site is both suspicious and allowed');

  test.each([
    ['one client', () => '203.0.113.7'],
    ['many clients of one network', (index: number) => `203.0.113.${index % 250}`],
    ['all the networks of one IPv6 site', (index: number) => `2001:db8:1:${index.toString(16)}::/64`],
    ['two networks', (index: number) => `203.0.${index % 2}.${index % 250}`],
    ['whoever comes through the unix socket', () => 'unix'],
    ['the holder of a key', () => 'key mail-gateway'],
  ])('adds nothing from %s, whatever the number of invented sites', (_, clientOf) => {
    const service = openService();
    for (let index = 0; index < 300; index++) service.check(`${lure(index)}${KIT}`, clientOf(index));
    const checked = service.check(victim, officeOf(1));
    expect(added(checked)).toBe(0);
    expect(checked.decision).toBe('allow');
  });

  test('adds at most the cap, from any number of networks', () => {
    const service = openService();
    const before = service.check(victim, officeOf(1)).verdict.logOdds;
    for (let index = 2; index < 250; index++) service.check(`${lure(index)}${KIT}`, officeOf(index));
    const { decision, verdict } = service.check(victim, officeOf(251));
    expect(verdict.logOdds - before).toBeCloseTo(1, 9);
    expect(decision).not.toBe('block');
  });

  test.each([
    ['a site that nobody doubts', `https://gardening-club-bern.ch${KIT}`],
    ['a popular site', `https://www.wikipedia.org${KIT}`],
    ["a brand's own", `https://www.paypal.com${KIT}`],
    ['the platform itself', `https://docs.google.com${KIT}`],
  ])('never affects %s', (_, url) => {
    const service = openService();
    for (let index = 0; index < 20; index++) service.check(`${lure(index)}${KIT}`, officeOf(index));
    expect(added(service.check(url, officeOf(251)))).toBe(0);
  });

  test.each(['/', '/login', '/wp-login.php', '/index.html', '/account/verify', '/en/login/index.php', '/a1b2c3/x7'])(
    'finds nothing in the common path %s',
    (path) => {
      const service = openService();
      for (let index = 0; index < 20; index++) service.check(`${lure(index)}${path}`, officeOf(index));
      expect(added(service.check(`${lure(51)}${path}`, officeOf(51)))).toBe(0);
    },
  );

  test('has no effect through a path of unsuspicious sites', () => {
    const service = openService();
    for (let index = 0; index < 20; index++) service.check(`${lure(index)}${KIT}`, officeOf(index));
    service.check(`https://gardening-club-bern.ch${KIT}`, officeOf(61));
    service.check(`https://www.wikipedia.org${KIT}`, officeOf(62));
    expect(added(service.check(`${lure(51)}${KIT}`, officeOf(51)))).toBe(0);
  });

  test('has no effect through names that do not exist', () => {
    const service = openService();
    const failure = { code: 'dns_nxdomain', detail: '' } as const;
    const nowhere = { ...UNSEEN, dns: { state: 'failed', failure, elapsedMs: 0 } } as const;
    for (let index = 0; index < 20; index++) service.check(`${lure(index)}${KIT}`, officeOf(index), nowhere);
    expect(added(service.check(`${lure(51)}${KIT}`, officeOf(51)))).toBe(0);
  });

  test('cannot affect a site on the operator’s allowlist', () => {
    const service = openService();
    for (let index = 0; index < 20; index++) service.check(`${lure(index)}${KIT}`, officeOf(index));
    const allowed = { list: 'ours.txt', entry: 'secure-login-verify51-account.top', line: 1 };
    const lists = { state: 'observed', value: { blocked: null, allowed }, elapsedMs: 0 } as const;
    const { decision, verdict } = service.check(`${lure(51)}${KIT}`, officeOf(51), { ...UNSEEN, lists });
    expect(decision).toBe('allow');
    expect(verdict.contributions.map(({ code }) => code)).not.toContain('lists.path_elsewhere');
  });

  test('cannot affect a configured domain', () => {
    const knowledge = MODELS.knowledge.withConfigured([{ name: 'Nordwerk', domains: ['nordwerk-login-verify.top'] }]);
    const service = openService({ ...MODELS, knowledge });
    for (let index = 0; index < 20; index++) service.check(`${lure(index)}${KIT}`, officeOf(index));
    expect(added(service.check(`http://nordwerk-login-verify.top${KIT}`, officeOf(51)))).toBe(0);
  });
});

test('the signal alone causes no warning at the threshold of suspicion, and no block at the warning threshold', () => {
  const { thresholds, weights } = { ...SETTINGS, ...MODELS.fusion };
  const sign = Math.max(weights['lists.path_elsewhere']?.weight ?? 0, weights['lists.form_elsewhere']?.weight ?? 0);
  const with1 = (probability: number) => 1 / (1 + ((1 - probability) / probability) * Math.exp(-sign));
  expect(with1(thresholds.warn / 2)).toBeLessThan(thresholds.warn);
  expect(with1(thresholds.warn)).toBeLessThan(thresholds.block);
});
