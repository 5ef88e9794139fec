import { describe, expect, test } from 'bun:test';
import { listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import { asSentence } from '#src/engine/reasons/sentence.ts';
import { indexList } from '#src/network/lists/list-index.ts';
import { parseList } from '#src/network/lists/parse.ts';
import type { KeptHit } from '#src/network/probes/list-hits.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { argsOf } from '#src/checks/record/reasons/args.ts';
import { startMasking } from '#src/checks/record/redact/mask.ts';
import { redactText } from '#src/checks/record/redact/redact-text.ts';
import { targetOf } from '#test/support/target.ts';

const ours = { name: 'ours.txt', changedAtMs: null, index: indexList(parseList('evil.example\nboth.example')) };
const fine = { name: 'fine.txt', changedAtMs: null, index: indexList(parseList('good.example\nboth.example')) };

function namesFor(url: string): string[] | undefined {
  const lists = observeLists({ block: [ours], allow: [fine], kept: [] }, targetOf(url), 0);
  return listsAnalyzer
    .analyze({ observations: { lists }, isDoubted: false })
    ?.features.map(({ name, message }) => `${name}: ${message}`);
}

test('what is on a list is said with its file, line and entry', () => {
  expect(namesFor('https://login.evil.example/')).toEqual([
    'lists.blocked: The URL is on the block list ours.txt: line 1, evil.example',
  ]);
  expect(namesFor('https://good.example/')).toEqual([
    'lists.allowed: The URL is on the allow list fine.txt: line 1, good.example',
  ]);
  expect(namesFor('https://both.example/')).toHaveLength(2);
  expect(namesFor('https://other.example/')).toEqual([]);
});

test('without lists there is nothing to look up', () => {
  const lists = observeLists({ block: [], allow: [], kept: [] }, targetOf('https://evil.example/'), 0);
  expect(lists).toEqual({ state: 'skipped', reason: 'disabled' });
  expect(listsAnalyzer.analyze({ observations: { lists }, isDoubted: false })).toBeNull();
});

describe('lists that are kept', () => {
  const DAY_MS = 86_400_000;
  const hit = (list: string, narrowness: number, action: 'block' | 'allow', weight: number | null = null): KeptHit => ({
    ...{ list, entry: 'evil.example', line: 7, action, weight, narrowness },
    addedAtMs: 20_000 * DAY_MS,
  });
  const featuresOf = (...kept: KeptHit[]) =>
    listsAnalyzer
      .analyze({
        observations: { lists: { state: 'observed', value: { blocked: null, allowed: null, kept }, elapsedMs: 0 } },
        isDoubted: false,
      })
      ?.features.map(({ name, value }) => `${name} ${value}`);

  test('say since when, and by which line', () => {
    const lists = {
      state: 'observed',
      value: { blocked: null, allowed: null, kept: [hit('feed', 9, 'block')] },
      elapsedMs: 0,
    } as const;
    const [feature] = listsAnalyzer.analyze({ observations: { lists }, isDoubted: false })?.features ?? [];
    expect(feature?.message).toBe('The URL has been on the block list feed since 2024-10-04: evil.example (line 7)');
    expect(argsOf('lists.kept_blocked', asSentence(feature?.message ?? ''))).toEqual({
      ...{ list: 'feed', day: '2024-10-04', line: 7, entry: 'evil.example' },
    });
  });

  test('are told in every language, also where a secret in an entry is masked', () => {
    const entry = 'http://shop.example/in?token=0f9c2b7e4d5a6180';
    const lists = {
      state: 'observed',
      value: { blocked: null, allowed: null, kept: [{ ...hit('feed', 9, 'block'), entry }] },
      elapsedMs: 0,
    } as const;
    const [feature] = listsAnalyzer.analyze({ observations: { lists }, isDoubted: false })?.features ?? [];
    const masked = redactText(asSentence(feature?.message ?? ''), startMasking('secrets'));
    expect(argsOf('lists.kept_blocked', masked)).toMatchObject({ line: 7, entry: 'http://shop.example/in?token=***' });
  });

  test('decide by the narrowest entry, of equally narrow ones by that which allows, and all are told', () => {
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

  test('have no say in what covers a domain that the operator taught since', () => {
    const observed = (entry: string) => ({
      state: 'observed' as const,
      value: { blocked: null, allowed: null, kept: [{ ...hit('feed', 9, 'block'), entry }] },
      elapsedMs: 0,
    });
    const models = { ownBrands: [{ domains: ['bank.example'] }] };
    const saidOf = (entry: string) =>
      listsAnalyzer.analyze({ observations: { lists: observed(entry) }, models, isDoubted: false })?.features.length;
    const entries = [
      'bank.example',
      'www.bank.example',
      'http://bank.example/',
      'http://bank.example/kit',
      'a.bank.example',
    ];
    expect(entries.map(saidOf)).toEqual([0, 0, 0, 1, 1]);
  });

  test('that do not decide add as much as the operator gave them', () => {
    expect(featuresOf(hit('a', 9, 'block', 2), hit('b', 8, 'allow', 10))).toEqual([
      'lists.suspected 0.2',
      'lists.trusted 1',
    ]);
  });
});
