import { expect, test } from 'bun:test';
import { previewOf } from '#src/parts/lists/preview-lists.ts';
import type { Rescored } from '#src/parts/tuning/rescore/rescore.ts';

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
