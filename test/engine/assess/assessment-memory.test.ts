import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { createAssessmentMemory } from '#src/engine/assess/assessment-memory.ts';
import { type ListHits, type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const URL = 'https://paypal.secure-login.example/verify?id=7';
const DISABLED = { state: 'skipped', reason: 'disabled' } as const;
const UNSEEN = skippedObservations('disabled', DISABLED);

const listed = (hits: Partial<ListHits>): Observations => ({
  ...UNSEEN,
  lists: { state: 'observed', value: { blocked: null, allowed: null, ...hits }, elapsedMs: 0 },
});

describe('the memory of assessments', () => {
  test('returns the same assessment for another spelling of a URL', () => {
    const memory = createAssessmentMemory();
    const first = memory(targetOf(URL), UNSEEN, MODELS, SETTINGS);
    expect(first).toEqual(assess(targetOf(URL), UNSEEN, MODELS, SETTINGS));
    expect(memory(targetOf(`${URL}#top`), UNSEEN, MODELS, SETTINGS)).toBe(first);
    expect(memory(targetOf(`${URL}7`), UNSEEN, MODELS, SETTINGS)).not.toEqual(first);
  });

  test('forgets with other models or settings', () => {
    const memory = createAssessmentMemory();
    const first = memory(targetOf(URL), UNSEEN, MODELS, SETTINGS);
    const strict = { ...SETTINGS, thresholds: { warn: 0.01, block: 0.02 } };
    expect(memory(targetOf(URL), UNSEEN, MODELS, strict).decision).toBe('block');
    expect(memory(targetOf(URL), UNSEEN, { ...MODELS, version: 'other' }, strict).modelVersion).toBe('other');
    expect(memory(targetOf(URL), UNSEEN, MODELS, SETTINGS)).not.toBe(first);
  });

  test('keeps URLs apart that are on a list, that no list covers, and that no list was asked about', () => {
    const memory = createAssessmentMemory();
    const hit = { list: 'mine', entry: URL, line: 1 };
    for (const seen of [UNSEEN, listed({}), listed({ blocked: hit }), listed({ allowed: hit }), UNSEEN, listed({})]) {
      expect(memory(targetOf(URL), seen, MODELS, SETTINGS)).toEqual(assess(targetOf(URL), seen, MODELS, SETTINGS));
    }
  });

  test.each<[string, Partial<Observations>]>([
    ['a lookup that failed', { dns: { state: 'failed', failure: { code: 'dns_nxdomain', detail: '' }, elapsedMs: 1 } }],
    ['a page that could not be fetched', { page: { state: 'skipped', reason: 'circuit_open' } }],
    ['a canary', { page: { state: 'skipped', reason: 'not_applicable' } }],
    [
      'other sites with the same path',
      { campaign: { state: 'observed', value: { path: null, form: null }, elapsedMs: 0 } },
    ],
  ])('remembers nothing of %s', (_, seen) => {
    const memory = createAssessmentMemory();
    const observations = { ...UNSEEN, ...seen };
    const first = memory(targetOf(URL), observations, MODELS, SETTINGS);
    expect(memory(targetOf(URL), observations, MODELS, SETTINGS)).not.toBe(first);
  });

  test('remembers at most 2,048, and no long URL', () => {
    const memory = createAssessmentMemory();
    const of = (n: number | string) => memory(targetOf(`https://example.com/${n}`), UNSEEN, MODELS, SETTINGS);
    const first = of(0);
    for (let n = 1; n <= 1024; n++) of(n);
    expect(of(0)).toBe(first);
    for (let n = 2000; n <= 2000 + 2048; n++) of(n);
    expect(of(0)).not.toBe(first);
    expect(of('a'.repeat(600))).not.toBe(of('a'.repeat(600)));
  });
});
