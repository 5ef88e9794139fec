import { describe, expect, test } from 'bun:test';
import { listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import type { StoredListHit } from '#src/network/probes/observations.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';

const ours = { name: 'ours.txt', changedAtMs: null, index: indexList(parseList('evil.example\nboth.example')) };
const fine = { name: 'fine.txt', changedAtMs: null, index: indexList(parseList('good.example\nboth.example')) };

function namesFor(url: string): string[] | undefined {
  const lists = observeLists({ block: [ours], allow: [fine], stored: [] }, targetOf(url), 0);
  return listsAnalyzer
    .analyze({ observations: { lists }, isSuspicious: false })
    ?.features.map((feature) => `${feature.name}: ${said(feature)}`);
}

test('names file, line and entry of a hit', () => {
  expect(namesFor('https://login.evil.example/')).toEqual([
    'lists.blocked: The URL is on the block list ours.txt: line 1, evil.example.',
  ]);
  expect(namesFor('https://good.example/')).toEqual([
    'lists.allowed: The URL is on the allow list fine.txt: line 1, good.example.',
  ]);
  expect(namesFor('https://both.example/')).toHaveLength(2);
  expect(namesFor('https://other.example/')).toEqual([]);
});

test('returns null without lists', () => {
  const lists = observeLists({ block: [], allow: [], stored: [] }, targetOf('https://evil.example/'), 0);
  expect(lists).toEqual({ state: 'skipped', reason: 'disabled' });
  expect(listsAnalyzer.analyze({ observations: { lists }, isSuspicious: false })).toBeNull();
});

describe('stored lists', () => {
  const DAY_MS = 86_400_000;
  const hit = (
    list: string,
    narrowness: number,
    action: 'block' | 'allow',
    weight: number | null = null,
  ): StoredListHit => ({
    ...{ list, entry: 'evil.example', line: 7, action, weight, narrowness },
    addedAtMs: 20_000 * DAY_MS,
  });
  const featuresOf = (...kept: StoredListHit[]) =>
    listsAnalyzer
      .analyze({
        observations: { lists: { state: 'observed', value: { blocked: null, allowed: null, kept }, elapsedMs: 0 } },
        isSuspicious: false,
      })
      ?.features.map(({ name, value }) => `${name} ${value}`);

  test('name the day and the line', () => {
    const lists = {
      state: 'observed',
      value: { blocked: null, allowed: null, kept: [hit('feed', 9, 'block')] },
      elapsedMs: 0,
    } as const;
    const [feature] = listsAnalyzer.analyze({ observations: { lists }, isSuspicious: false })?.features ?? [];
    expect(said(feature)).toBe('The URL has been on the block list feed since 2024-10-04: evil.example (line 7).');
    expect(feature?.args).toEqual({
      ...{ list: 'feed', day: '2024-10-04', line: 7, entry: 'evil.example' },
    });
  });

  test('decide by the narrowest entry, of equally narrow ones by the allowlist, and all are reported', () => {
    expect(featuresOf(hit('a', 9, 'block'), hit('b', 8, 'allow'))).toEqual([
      'lists.kept_blocked 1',
      'lists.overruled_allow 1',
    ]);
    expect(featuresOf(hit('a', 9, 'block'), hit('b', 9, 'allow'))).toEqual([
      'lists.kept_allowed 1',
      'lists.overruled_block 1',
    ]);
    expect(featuresOf(hit('a', 8, 'block'), hit('b', 9, 'allow'), hit('c', 7, 'block'))).toEqual([
      'lists.kept_allowed 1',
      'lists.overruled_block 1',
      'lists.overruled_block 1',
    ]);
    expect(featuresOf(hit('a', 8, 'block'), hit('c', 7, 'block'))).toEqual([
      'lists.kept_blocked 1',
      'lists.kept_blocked 1',
    ]);
  });

  test('do not apply to entries that cover a configured domain', () => {
    const observed = (entry: string) => ({
      state: 'observed' as const,
      value: { blocked: null, allowed: null, kept: [{ ...hit('feed', 9, 'block'), entry }] },
      elapsedMs: 0,
    });
    const models = { configuredBrands: [{ domains: ['bank.example'] }] };
    const saidOf = (entry: string) =>
      listsAnalyzer.analyze({ observations: { lists: observed(entry) }, models, isSuspicious: false })?.features.length;
    const entries = [
      'bank.example',
      'www.bank.example',
      'http://bank.example/',
      'http://bank.example/kit',
      'a.bank.example',
    ];
    expect(entries.map(saidOf)).toEqual([0, 0, 0, 1, 1]);
  });

  test('that do not decide add the weight that the operator has configured', () => {
    expect(featuresOf(hit('a', 9, 'block', 2), hit('b', 8, 'allow', 10))).toEqual([
      'lists.suspected 0.2',
      'lists.trusted 1',
    ]);
  });
});
