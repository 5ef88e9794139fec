import { expect, test } from 'bun:test';
import { decidingEntry, ownerOf } from '#src/checks/record/decided-by.ts';
import { packReasons, unpackReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { fromStored, toStored } from '#src/checks/record/stored-result.ts';
import type { ListHits, StoredListHit } from '#src/network/probes/observations.ts';
import { sampleCheck } from '#test/support/sample-record.ts';

const on = (code: string, list: string, entry = 'evil.example') => ({ code, args: { list, entry, line: '1' } });

test('the entry of a final list decides if the verdict is the one of its list', () => {
  const kept = on('lists.kept_blocked', 'feed');
  const both = [{ code: 'url.words' }, on('lists.blocked', 'file.txt'), kept];
  expect(decidingEntry('block', both, null)).toEqual({ list: 'feed', entry: 'evil.example' });
  expect(decidingEntry('block', [on('lists.blocked', 'file.txt')], null)?.list).toBe('file.txt');
  expect(decidingEntry('allow', [on('lists.kept_allowed', 'ours')], null)?.list).toBe('ours');
  for (const reasons of [[on('lists.overruled_block', 'feed')], [on('lists.kept_allowed', 'ours')], []]) {
    expect(decidingEntry('block', reasons, null)).toBeNull();
  }
  expect(decidingEntry('allow', [kept], null)).toBeNull();
});

test('a list that only adds weight decides if the verdict would differ without it', () => {
  const suspected = on('lists.suspected', 'soft');
  expect(decidingEntry('warn', [suspected], null)).toBeNull();
  expect(decidingEntry('warn', [suspected], suspected)?.list).toBe('soft');
  expect(decidingEntry('warn', [suspected], { code: 'url.words', args: {} })).toBeNull();
});

test('the owner of a list is found among the hits of the target, of URLs in it and behind it', () => {
  const hit = (list: string, owner?: string): StoredListHit => ({
    ...{ list, entry: 'evil.example', line: 1, action: 'block', weight: null, addedAtMs: 0, narrowness: 1 },
    ...(owner !== undefined && { owner }),
  });
  const hits = (...kept: StoredListHit[]): ListHits => ({ blocked: null, allowed: null, kept });
  const lists = {
    state: 'observed',
    elapsedMs: 0,
    value: {
      ...hits(hit('ours', 'operator'), hit('old')),
      blocked: { list: 'file.txt', entry: 'evil.example', line: 3 },
      inside: [{ url: 'https://evil.example/', hits: hits(hit('pack-list', 'pack intel')) }],
    },
  } as const;
  const hopLists = [{ url: 'https://evil.example/', hits: hits(hit('feed', 'source')) }];
  const owners = ['ours', 'old', 'file.txt', 'pack-list', 'feed', 'none'].map((list) =>
    ownerOf(list, { lists, hopLists }),
  );
  expect(owners).toEqual(['operator', null, 'setting', 'pack intel', 'source', null]);
});

test('records of earlier versions name the list in their reasons and the gate in their mark', () => {
  const { result } = sampleCheck({
    result: { decision: 'block' },
    details: {
      gate: { way: 'milter', rule: 'list-blocks', held: true },
      reasons: [{ ...on('lists.kept_blocked', 'feed'), component: 'lists', message: 'On a list.', weight: 30 }],
    },
  });
  const older = fromStored(toStored(result), { via: null, decided_by: null }).analysis_details;
  const decided = { list: 'feed', entry: 'evil.example', source: null };
  expect([older.via, older.decided_by]).toEqual(['mail', decided]);
  const newer = fromStored(toStored(result), { via: 'gate', decided_by: null }).analysis_details;
  expect([newer.via, newer.decided_by]).toEqual(['gate', null]);
});

test('packed reasons have each code once, with its strongest weight to a tenth, without codes of other versions', () => {
  const reasons = [
    { code: 'lists.kept_blocked', weight: 30 },
    { code: 'url.words', weight: -2.349 },
    { code: 'url.words', weight: 1 },
    { code: 'url.not_known_here', weight: 1 },
    { code: 'page.drawn_by_script', weight: 0 },
  ];
  expect(unpackReasons(packReasons(reasons))).toEqual([
    { code: 'lists.kept_blocked', weight: 12.7 },
    { code: 'url.words', weight: -2.3 },
    { code: 'page.drawn_by_script', weight: 0 },
  ]);
  expect(unpackReasons(new Uint8Array([255, 255, 1, 0, 8]))).toEqual([]);
});
