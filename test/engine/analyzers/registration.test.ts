import { describe, expect, test } from 'bun:test';
import { registrationAnalyzer } from '#src/engine/analyzers/registration.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';
import { KNOWLEDGE, landingObservations, NOTHING, observed, registration } from './evidence-samples.ts';

const analyze = (observations: Observations, url = 'https://example.com/') =>
  registrationAnalyzer.analyze({ target: targetOf(url), observations, knowledge: KNOWLEDGE });
const names = (observations: Observations, url?: string) =>
  analyze(observations, url)?.features.map(({ name }) => name as string);
const aged = (ageDays: number | null) => ({
  registration: observed(registration({ ageDays, createdAt: ageDays === null ? null : '2026-01-01T00:00:00.000Z' })),
});

test('returns null without an observation', () => {
  expect(analyze(NOTHING)).toBeNull();
  const failure = { code: 'registration_not_found', detail: '' } as const;
  expect(analyze({ ...NOTHING, registration: { state: 'failed', failure, elapsedMs: 1 } })).toBeNull();
});

test.each([
  [0, ['registration.created_under_7_days_ago']],
  [6, ['registration.created_under_7_days_ago']],
  [7, ['registration.created_under_30_days_ago']],
  [30, ['registration.created_under_180_days_ago']],
  [180, []],
  [1824, []],
  [1825, ['registration.created_over_5_years_ago']],
])('an age of %d days has the features %p', (ageDays, expected) => {
  expect(names({ ...NOTHING, ...aged(ageDays) })).toEqual(expected);
});

test('has no feature for an unknown age', () => {
  expect(names({ ...NOTHING, ...aged(null) })).toEqual([]);
});

test('the message names the domain, the age and the day', () => {
  expect(said(analyze({ ...NOTHING, ...aged(3) })?.features[0])).toBe(
    'example.com was registered 3 days ago, on 2026-01-01.',
  );
});

test('the age of a platform’s domain does not lower the score of its users', () => {
  const old = { ...NOTHING, ...aged(9000) };
  expect(names(old, 'https://user.github.io/')).toEqual([]);
  expect(names(old, 'https://user.pages.example/')).toEqual([]);
  expect(names(old, 'https://sho.rt/x')).toEqual([]);
});

test.each([
  ['clientHold', 'registration.on_hold'],
  ['server hold', 'registration.on_hold'],
  ['redemption period', 'registration.being_deleted'],
  ['pendingDelete', 'registration.being_deleted'],
])('the status %p has the feature %p', (status, name) => {
  const statuses = ['client transfer prohibited', status];
  expect(names({ ...NOTHING, registration: observed(registration({ statuses })) })).toEqual([name]);
});

describe('if the link leads to another site', () => {
  const follow = (asked: number | null, landed: number | null) =>
    names(
      landingObservations(
        'https://example.com/',
        asked === null ? {} : aged(asked),
        'https://example.net/',
        landed === null ? {} : aged(landed),
      ),
    );
  test('reports a young domain at either end', () => {
    expect(follow(3, 700)).toEqual(['registration.created_under_7_days_ago']);
    expect(follow(700, 3)).toEqual(['registration.created_under_7_days_ago']);
  });
  test('an old domain lowers the score only if both domains are old', () => {
    expect(follow(9000, 9000)).toEqual(['registration.created_over_5_years_ago']);
    expect(follow(9000, 700)).toEqual([]);
    expect(follow(9000, null)).toEqual([]);
    expect(follow(null, 9000)).toEqual([]);
  });
});
