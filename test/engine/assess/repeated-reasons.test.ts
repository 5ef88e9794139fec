import { describe, expect, test } from 'bun:test';
import { sigmoid } from '#src/core/base/log-odds.ts';
import { assess, withoutRepeatedReasons } from '#src/engine/assess/assess.ts';
import type { Contribution, Verdict } from '#src/engine/fusion/fuse.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { brandImitations, heldOutBrands } from '#src/training/data/brand-imitations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const nothing = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
const classify = (url: string) => assess(targetOf(url), nothing, MODELS, SETTINGS);

const LIKENESSES = ['brand.look_alike', 'brand.misspelling', 'brand.other_suffix'];

const sumOf = ({ contributions, baseLogOdds }: Verdict) =>
  contributions.reduce((sum, { weight }) => sum + weight, baseLogOdds);

const reason = (code: string, weight: number): Contribution => {
  const component = code.startsWith('brand.') ? 'brand' : code.startsWith('lists.') ? 'lists' : 'url';
  return { component, code, args: {}, weight };
};

const verdictOf = (...contributions: Contribution[]): Verdict => {
  const logOdds = sumOf({ contributions, baseLogOdds: -3 } as unknown as Verdict);
  return { logOdds, probability: sigmoid(logOdds), baseLogOdds: -3, contributions, scores: { brand: 0.9, url: 0.2 } };
};

describe('a likeness to a brand that is too weak for a warning', () => {
  const weak = verdictOf(reason('brand.misspelling', 2), reason('url.other_patterns', -0.5), reason('url.name', -0.2));
  const merged = withoutRepeatedReasons(weak, { warn: 0.5, block: 0.9 });

  test('is not a reason on an allowed site, and the sum is unchanged', () => {
    expect(merged.contributions.map(({ code }) => code)).toEqual(['url.other_patterns', 'url.name']);
    expect(merged.logOdds).toBe(weak.logOdds);
    expect(sumOf(merged)).toBeCloseTo(weak.logOdds, 12);
    expect(merged.scores).toEqual({ brand: null, url: sigmoid(1.5 - 0.2) });
  });

  test('is a reason on a site with a warning', () => {
    expect(withoutRepeatedReasons(weak, { warn: 0.1, block: 0.9 })).toBe(weak);
  });

  test('is a reason if an allowlist overrides it', () => {
    const listed = verdictOf(
      reason('brand.misspelling', 2),
      reason('url.other_patterns', 1),
      reason('lists.allowed', -9),
    );
    expect(withoutRepeatedReasons(listed, { warn: 0.5, block: 0.9 })).toBe(listed);
  });
});

test('no allowed imitation has a reason that it looks like the brand', () => {
  const codes = brandImitations(heldOutBrands(MODELS.knowledge, 5), 5).map(({ canon }) => classify(`http://${canon}`));
  const allowed = codes.filter(({ decision }) => decision === 'allow');
  expect(allowed.length).toBeGreaterThan(5);
  for (const { verdict } of allowed) {
    expect(verdict.contributions.filter(({ code }) => LIKENESSES.includes(code))).toEqual([]);
    expect(sumOf(verdict)).toBeCloseTo(verdict.logOdds, 9);
  }
});

test.each(['https://аррӏе.com/', 'https://ɢithub.com/login', 'https://ѕаmѕung.de/'])(
  '%s has only one reason for a homograph',
  (url) => {
    const { verdict } = classify(url);
    const said = verdict.contributions.filter(
      ({ code }) => code === 'brand.look_alike' || code.startsWith('url.homograph'),
    );
    expect(said.map(({ code }) => code)).toEqual(['brand.look_alike']);
    expect(sumOf(verdict)).toBeCloseTo(verdict.logOdds, 9);
  },
);
