import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import type { Models } from '#src/engine/assess/models.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { createCampaigns } from '#src/engine/campaigns/campaigns.ts';
import type { Assessment } from '#src/engine/fusion/assessment.ts';

import type { Observations } from '#src/network/probes/observations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';
import { LOGIN, seenForm, UNSEEN } from './seen-form.ts';

const START = Date.UTC(2026, 5, 15);
const KIT = '/gykolrhup/start';

/** A box that is asked for public checks, a minute apart. */
function openBox(models: Models = MODELS) {
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
      const value = campaigns.look(subject, nowMs);
      const observations = { ...seen, campaign: { state: 'observed', value, elapsedMs: 0 } } as const;
      const assessment = assess(target, observations, models, SETTINGS);
      campaigns.learn({ ...subject, client, isDoubted: assessment.isDoubted }, nowMs);
      return assessment;
    },
  };
}

/** What the sign adds to a verdict, in log-odds; 0 where it is not there. */
function added({ verdict }: Assessment): number {
  return verdict.contributions.find(({ code }) => code.endsWith('_elsewhere'))?.weight ?? 0;
}

/** Made-up hosts that the engine doubts at once. */
const lure = (index: number) => `http://secure-login-verify${index}-account.top`;

const officeOf = (index: number) => `198.51.${index}.7`;

describe('a campaign', () => {
  test('is seen when three sites of it were shown by people of three networks', () => {
    const box = openBox();
    const weights = [1, 2, 3, 4, 5, 6, 7].map((index) => added(box.check(`${lure(index)}${KIT}`, officeOf(index))));
    expect(weights).toEqual([0, 0, 0, 0.6, 0.8, 1, 1]);
  });

  test('is told of with its numbers', () => {
    const box = openBox();
    for (let index = 0; index < 4; index++) box.check(`${lure(index)}${KIT}`, officeOf(index));
    const reason = box
      .check(`${lure(9)}${KIT}/`, officeOf(9))
      .verdict.contributions.find(({ component }) => component === 'lists');
    expect(reason).toMatchObject({
      code: 'lists.path_elsewhere',
      message: 'The same unusual path was seen on 4 other doubtful sites since 2026-06-15.',
    });
  });

  test('is seen by its form, too, wherever that stands', () => {
    const box = openBox();
    const check = (index: number) => {
      const url = `${lure(index)}/${index}`;
      return box.check(url, officeOf(index), seenForm(url, 'Netflix Konto', LOGIN));
    };
    for (let index = 0; index < 4; index++) check(index);
    expect(check(9).verdict.contributions.find(({ component }) => component === 'lists')).toMatchObject({
      code: 'lists.form_elsewhere',
      message: 'The same unusual form was seen on 4 other doubtful sites since 2026-06-15.',
    });
  });

  test('counts once, though path and form are the same', () => {
    const box = openBox();
    for (let index = 0; index < 9; index++) {
      const url = `${lure(index)}${KIT}`;
      const { verdict } = box.check(url, officeOf(index), seenForm(url, 'Netflix Konto', LOGIN));
      const weights = verdict.contributions
        .filter(({ component }) => component === 'lists')
        .map(({ weight }) => weight);
      expect(weights).toEqual(index < 3 ? [] : [Math.min(1, index / 5)]);
    }
  });

  test('is over after a week without another', () => {
    const box = openBox();
    for (let index = 0; index < 4; index++) box.check(`${lure(index)}${KIT}`, officeOf(index));
    box.wait(7);
    expect(added(box.check(`${lure(9)}${KIT}`, officeOf(9)))).toBe(0);
  });
});

describe('who submits links to harm a site', () => {
  // It is doubted, and not warned of: where a push would do most.
  const victim = ['kunden', 'portal', 'garden', 'parcel', 'shop', 'help', 'online', 'club', 'travel', 'verein']
    .flatMap((first, _, words) => words.map((second) => `${first}-${second}`))
    .flatMap((name) => ['de', 'com', 'net', 'org', 'info', 'shop'].map((suffix) => `http://${name}.${suffix}${KIT}`))
    .find((url) => {
      const { decision, isDoubted } = assess(targetOf(url), UNSEEN, MODELS, SETTINGS);
      return isDoubted && decision === 'allow';
    });
  if (victim === undefined) throw new Error('none of the made-up sites is doubted and allowed');

  test.each([
    ['one client', () => '203.0.113.7'],
    ['many clients of one network', (index: number) => `203.0.113.${index % 250}`],
    ['all the networks of one IPv6 site', (index: number) => `2001:db8:1:${index.toString(16)}::/64`],
    ['two networks', (index: number) => `203.0.${index % 2}.${index % 250}`],
    ['whoever comes through the unix socket', () => 'unix'],
    ['the holder of a key', () => 'key mail-gateway'],
  ])('adds nothing from %s, however many sites are made up', (_, clientOf) => {
    const box = openBox();
    for (let index = 0; index < 300; index++) box.check(`${lure(index)}${KIT}`, clientOf(index));
    const checked = box.check(victim, officeOf(1));
    expect(added(checked)).toBe(0);
    expect(checked.decision).toBe('allow');
  });

  test('adds no more than the cap from as many networks as there are', () => {
    const box = openBox();
    const before = box.check(victim, officeOf(1)).verdict.logOdds;
    for (let index = 2; index < 250; index++) box.check(`${lure(index)}${KIT}`, officeOf(index));
    const { decision, verdict } = box.check(victim, officeOf(251));
    expect(verdict.logOdds - before).toBeCloseTo(1, 9);
    expect(decision).not.toBe('block');
  });

  test.each([
    ['a site that nobody doubts', `https://gardening-club-bern.ch${KIT}`],
    ['a popular site', `https://www.wikipedia.org${KIT}`],
    ["a brand's own", `https://www.paypal.com${KIT}`],
    ['the platform itself', `https://docs.google.com${KIT}`],
  ])('never reaches %s', (_, url) => {
    const box = openBox();
    for (let index = 0; index < 20; index++) box.check(`${lure(index)}${KIT}`, officeOf(index));
    expect(added(box.check(url, officeOf(251)))).toBe(0);
  });

  test.each(['/', '/login', '/wp-login.php', '/index.html', '/account/verify', '/en/login/index.php', '/a1b2c3/x7'])(
    'finds nothing in the common path %s',
    (path) => {
      const box = openBox();
      for (let index = 0; index < 20; index++) box.check(`${lure(index)}${path}`, officeOf(index));
      expect(added(box.check(`${lure(51)}${path}`, officeOf(51)))).toBe(0);
    },
  );

  test('finds nothing in a path that sites have which nobody doubts', () => {
    const box = openBox();
    for (let index = 0; index < 20; index++) box.check(`${lure(index)}${KIT}`, officeOf(index));
    box.check(`https://gardening-club-bern.ch${KIT}`, officeOf(61));
    box.check(`https://www.wikipedia.org${KIT}`, officeOf(62));
    expect(added(box.check(`${lure(51)}${KIT}`, officeOf(51)))).toBe(0);
  });

  test('gets nothing from names that do not exist', () => {
    const box = openBox();
    const failure = { code: 'dns_nxdomain', detail: '' } as const;
    const nowhere = { ...UNSEEN, dns: { state: 'failed', failure, elapsedMs: 0 } } as const;
    for (let index = 0; index < 20; index++) box.check(`${lure(index)}${KIT}`, officeOf(index), nowhere);
    expect(added(box.check(`${lure(51)}${KIT}`, officeOf(51)))).toBe(0);
  });

  test('cannot reach what stands on an allow list of the operator', () => {
    const box = openBox();
    for (let index = 0; index < 20; index++) box.check(`${lure(index)}${KIT}`, officeOf(index));
    const allowed = { list: 'ours.txt', entry: 'secure-login-verify51-account.top', line: 1 };
    const lists = { state: 'observed', value: { blocked: null, allowed }, elapsedMs: 0 } as const;
    const { decision, verdict } = box.check(`${lure(51)}${KIT}`, officeOf(51), { ...UNSEEN, lists });
    expect(decision).toBe('allow');
    expect(verdict.contributions.map(({ code }) => code)).not.toContain('lists.path_elsewhere');
  });

  test('cannot reach what the operator taught to be his own', () => {
    const knowledge = MODELS.knowledge.withTaught([{ name: 'Nordwerk', domains: ['nordwerk-login-verify.top'] }]);
    const box = openBox({ ...MODELS, knowledge });
    for (let index = 0; index < 20; index++) box.check(`${lure(index)}${KIT}`, officeOf(index));
    expect(added(box.check(`http://nordwerk-login-verify.top${KIT}`, officeOf(51)))).toBe(0);
  });
});

test('the sign alone warns of nothing at the edge of doubt, and blocks nothing that was not warned of', () => {
  const { thresholds, weights } = { ...SETTINGS, ...MODELS.fusion };
  const sign = Math.max(weights['lists.path_elsewhere']?.weight ?? 0, weights['lists.form_elsewhere']?.weight ?? 0);
  const with1 = (probability: number) => 1 / (1 + ((1 - probability) / probability) * Math.exp(-sign));
  expect(with1(thresholds.warn / 2)).toBeLessThan(thresholds.warn);
  expect(with1(thresholds.warn)).toBeLessThan(thresholds.block);
});
