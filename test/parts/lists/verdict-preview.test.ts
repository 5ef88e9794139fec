import { expect, test } from 'bun:test';
import type { ListChanged } from '#src/parts/lists/list-change.ts';
import { previewOf } from '#src/parts/lists/preview-lists.ts';
import { nothingRescored, type Rescored } from '#src/parts/tuning/rescore/rescore.ts';

const verdict = (decision: 'allow' | 'warn' | 'block') => ({ probability: 0.5, decision });

test('a preview sums changes by the new decision, and shows at most 20 of the latest', () => {
  const changed: Rescored['changed'] = Array.from({ length: 21 }, (_, at) => ({
    check: { url: at === 0 ? 'no URL' : `http://host-${at}.example/`, request_id: String(at), timestamp: '' },
    ...{ was: verdict('allow'), now: verdict('block') },
  }));
  const changes: Rescored['changes'] = new Map([
    ['allow block', 2],
    ['warn block', 3],
    ['block allow', 4],
    ['warn allow', 1],
    ['allow warn', 5],
  ]);
  const rescored: Rescored = { judged: 30, unread: 1, changes, changed };
  const { preview } = previewOf({
    rescored,
    entries: 7,
    popular: { count: 2, first: [{ entry: 'www.big.example', site: 'big.example' }] },
  });
  const { examples, ...rest } = preview;
  expect(rest).toEqual({
    ...{ checked: 30, changed: 15, newly_blocked: 5, newly_allowed: 5, popular_hits: 2, entries: 7 },
    popular: [{ entry: 'www.big.example', site: 'big.example' }],
    invalid_lines: [],
  });
  expect(examples[0]).toEqual({ url: 'no URL', host: '', before: 'allow', after: 'block' });
  expect([examples.length, examples[19]?.host]).toEqual([20, 'host-19.example']);
});

const LIST: ListChanged = {
  ...{ list: 'feed', what: 'import', entriesBefore: 0, entries: 1, added: 1, expired: 0, repeated: 0, leftOut: [] },
  ...{ removed: 0, removedEntries: [], quarantined: 0, newlyQuarantined: 0, quarantinedEntries: [], format: null },
  ...{ skipped: { first: [], count: 0 }, unread: { first: [], count: 0 } },
};

/** The effect on the content of lists. */
function effectOf(...changed: readonly ListChanged[]) {
  const { preview } = previewOf({ rescored: nothingRescored(), entries: 1, changed });
  const { checked, changed: _, newly_blocked, newly_allowed, popular_hits, examples, entries, ...effect } = preview;
  expect([checked, newly_blocked, newly_allowed, popular_hits, examples, entries]).toEqual([0, 0, 0, 0, [], 1]);
  return effect;
}

test('a preview of content says what is not applied, with lines and reasons, and counts all of it', () => {
  const line = (at: number) => ({ line: at, message: `is odd ${at}` });
  const [one, other] = [
    {
      ...LIST,
      ...{ newlyQuarantined: 12, expired: 3, repeated: 4 },
      quarantinedEntries: [{ entry: 'com', line: 1, why: 'public_suffix' as const }],
      leftOut: [{ entry: 'a.example', line: 2, why: 'duplicate' as const }],
      unread: { first: [line(5)], count: 15 },
      skipped: { first: [line(6)], count: 16 },
    },
    { ...LIST, what: 'add' as const, newlyQuarantined: 1, expired: 1, repeated: 1, unread: { first: [], count: 1 } },
  ];
  expect(effectOf(one, other)).toEqual({
    invalid_lines: [
      { line: 5, text: '', reason: 'is odd 5' },
      { line: 6, text: '', reason: 'is odd 6' },
    ],
    held_back: [{ entry: 'com', line: 1, code: 'public_suffix', reason: 'is a public suffix, shared by many sites' }],
    left_out: [{ entry: 'a.example', line: 2, code: 'duplicate' }],
    omitted: { held_back: 13, invalid: 32, expired: 4, duplicates: 5 },
  });
});

test.each([
  ['import', { held_back: 0, invalid: 0, expired: 0, duplicates: 0 }],
  ['add', { held_back: 0, invalid: 0, expired: 0, duplicates: 0 }],
  ['remove', undefined],
  ['rollback', undefined],
] as const)('a preview of %s with nothing to say omits %p', (what, omitted) => {
  expect(effectOf({ ...LIST, what })).toEqual({ invalid_lines: [], ...(omitted && { omitted }) });
});

test('a preview of a removal names the first entries and counts all', () => {
  const removal = { ...LIST, what: 'remove' as const, removed: 11, removedEntries: ['a.example', 'b.example'] };
  expect(effectOf(removal)).toEqual({
    invalid_lines: [],
    removed: { count: 11, first: ['a.example', 'b.example'] },
  });
});
