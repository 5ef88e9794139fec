import { describe, expect, test } from 'bun:test';
import { sigmoid } from '#src/core/base/log-odds.ts';
import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import { decide, decisiveReason, fuse } from '#src/engine/fusion/fuse.ts';
import { type FusionModel, loadForeignFusionModel, loadFusionModel, ModelError } from '#src/engine/fusion/model.ts';
import { createRandom } from '#test/support/random.ts';

const COMPONENTS: readonly Component[] = ['url', 'dns', 'page'];
const NAMES = COMPONENTS.flatMap((component) => ['a', 'b', 'c'].map((name) => `${component}.${name}`));
const random = createRandom(3);

function anyModel(): FusionModel {
  return loadFusionModel(
    {
      version: 1,
      name: 'test',
      date: '2026-01-31',
      term_scale: 0.5 + random.next(),
      thresholds: { warn: 0.3, block: 0.8 },
      caps: { dns: { min: -1, max: 2 } },
      weights: Object.fromEntries(NAMES.map((name) => [name, { weight: random.next() * 8 - 4, source: 'test' }])),
    },
    NAMES,
  );
}

function anyEvidence(component: Component): Evidence | null {
  if (random.below(4) === 0) return null;
  const names = NAMES.filter((name) => name.startsWith(component) && random.below(2) === 0);
  return {
    features: names.map((name) => ({ name, value: random.next(), args: {} })),
    terms: component === 'url' ? [{ code: 'url.t', args: {}, logOdds: random.next() * 40 - 20 }] : [],
  };
}

describe('fusion', () => {
  test('gives reasons that add up to the log-odds of the probability', () => {
    for (let i = 0; i < 2000; i++) {
      const evidence = new Map(COMPONENTS.map((component) => [component, anyEvidence(component)]));
      const { probability, baseLogOdds, contributions, logOdds } = fuse(evidence, anyModel(), 0.05);
      const sum = contributions.reduce((total, { weight }) => total + weight, baseLogOdds);
      expect(Math.abs(sum - Math.log(probability / (1 - probability)))).toBeLessThan(1e-6);
      expect(probability).toBe(sigmoid(logOdds));
      expect(contributions.map(({ weight }) => Math.abs(weight))).toEqual(
        contributions.map(({ weight }) => Math.abs(weight)).toSorted((a, b) => b - a),
      );
    }
  });

  test('adds exactly 0 for a component without evidence', () => {
    const model = anyModel();
    const some = new Map([['url' as const, anyEvidence('url')]]);
    expect(fuse(new Map([...some, ['dns', null]]), model, 0.05)).toEqual({
      ...fuse(some, model, 0.05),
      scores: { ...fuse(some, model, 0.05).scores, dns: null },
    });
    expect(fuse(new Map(), model, 0.05).probability).toBeCloseTo(0.05, 12);
  });

  test('is monotonic in each signal', () => {
    for (let i = 0; i < 2000; i++) {
      const model = anyModel();
      const name = random.pick(NAMES.filter((one) => !one.startsWith('url')));
      const at = (value: number) =>
        fuse(
          new Map([[name.split('.')[0] as Component, { features: [{ name, value, args: {} }], terms: [] }]]),
          model,
          0.05,
        ).logOdds;
      const [less, more] = [random.next(), random.next()].toSorted((a, b) => a - b) as [number, number];
      const sign = Math.sign(model.weights[name]?.weight ?? 0);
      // At a cap both are the same but for rounding.
      expect(sign * (at(more) - at(less))).toBeGreaterThan(-1e-12);
    }
  });

  test('bounds each component by its caps, and the verdict by the precision of a double', () => {
    const model = { ...anyModel(), weights: { 'dns.a': { weight: 9, source: 'test' } } };
    const dns = { features: [{ name: 'dns.a', value: 1, args: {} }], terms: [] };
    expect(fuse(new Map([['dns', dns]]), model, 0.5).logOdds).toBeCloseTo(2, 12);
    const sure = { features: [], terms: [{ code: 'url.t', args: {}, logOdds: 500 }] };
    expect(fuse(new Map([['url', sure]]), model, 0.05).probability).toBeLessThan(1);
  });
});

describe('the fusion model', () => {
  test('is rejected if its names differ from the code, and the error lists the names on both sides', () => {
    const json = structuredClone(anyModel());
    expect(() => loadFusionModel(json, [...NAMES, 'dns.new'])).toThrow(
      'add a weight with its source for each of these features: dns.new',
    );
    expect(() => loadFusionModel(json, NAMES.slice(1))).toThrow('remove these weights, which no analyzer emits: url.a');
    expect(() => loadFusionModel({ ...json, version: 2 }, NAMES)).toThrow(ModelError);
  });

  test('of another version keeps its weights, and uses the weights of this version for missing ones', () => {
    const [own, carried] = [anyModel(), anyModel()];
    const { 'url.a': unheard, ...known } = carried.weights;
    const json = { ...carried, weights: { ...known, 'dns.gone': { weight: 1, source: 'test' } } };
    const loaded = loadForeignFusionModel(json, own, 'it');
    expect(unheard).toBeDefined();
    expect(loaded).toEqual({
      ...carried,
      weights: { ...known, 'url.a': own.weights['url.a'] } as never,
    });
    const foreign = { ...carried, weights: { 'dns.gone': { weight: 1, source: 'test' } } };
    expect(() => loadForeignFusionModel(foreign, own, 'it')).toThrow('it has no weight for a known feature');
    expect(() => loadForeignFusionModel({ ...json, version: 2 }, own, 'it')).toThrow(ModelError);
  });
});

describe('the decision', () => {
  const thresholds = { warn: 0.3, block: 0.8 };

  test('changes exactly at the thresholds', () => {
    expect([0, 0.3 - 1e-9, 0.3, 0.8 - 1e-9, 0.8, 1].map((p) => decide(p, thresholds))).toEqual([
      'allow',
      'allow',
      'warn',
      'warn',
      'block',
      'block',
    ]);
  });

  test('has a decisive reason only if one reason alone would change it', () => {
    const reason = (weight: number) => ({ component: 'dns', code: 'dns.a', args: {}, weight }) as const;
    const verdict = (weights: number[]) => {
      const logOdds = weights.reduce((a, b) => a + b, -3);
      return {
        logOdds,
        probability: sigmoid(logOdds),
        baseLogOdds: -3,
        contributions: weights.map(reason),
        scores: {},
      };
    };
    expect(decisiveReason(verdict([5]), thresholds)).toMatchObject({ decision: 'allow' });
    expect(decisiveReason(verdict([5, 5]), thresholds)).toBeNull();
    expect(decisiveReason(verdict([]), thresholds)).toBeNull();
  });
});
