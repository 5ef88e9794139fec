import { describe, expect, test } from 'bun:test';
import { withConfiguredBrands } from '#src/admin/active/models.ts';
import type { ScoringContext } from '#src/admin/active/scoring-context.ts';
import { maskResult } from '#src/checks/record/redact/redact-result.ts';
import { addConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { createRescorer } from '#src/parts/tuning/rescore/rescore-check.ts';
import { loginCheck } from '#test/support/login-check.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const HTML = '<title>Sign in</title><form action="/in" method=post><input name=who><input type=password></form>';

const listOf = (name: string, text: string) => ({ name, index: indexList(parseList(text)), changedAtMs: null });

const NO_LISTS: LocalLists = { block: [], allow: [], stored: [] };
const BLOCKED: LocalLists = {
  block: [listOf('feed.txt', '# today\nexample.org\nhttp://192.0.2.7/')],
  allow: [],
  stored: [],
};
const ALLOWED: LocalLists = {
  block: [],
  allow: [listOf('ours.txt', 'example.org\npaypal.com.account-check.example')],
  stored: [],
};
const BOTH: LocalLists = { block: BLOCKED.block, allow: ALLOWED.allow, stored: [] };

const TAUGHT = withConfiguredBrands(MODELS, addConfiguredBrand([], 'Account-Check', ['account-check.example'], []));

const by = (lists: LocalLists, models = MODELS): ScoringContext => ({ models, settings: SETTINGS, lists });

/** What a check says of a URL behind which a login stands, by what is in force. */
const checked = (url: string, { models, settings, lists }: ScoringContext) =>
  loginCheck(url, HTML, { models, settings, lists: observeLists(lists, targetOf(url), 0) });

const URLS = [
  'https://www.example.org/shop/item?id=7',
  'http://192.0.2.7/login.php',
  'https://paypal.com.account-check.example/signin',
  'https://www.google.com/url?q=http%3A%2F%2Fpaypal-login.verify-account.cyou%2Fsignin',
];

const WORLDS = [
  ['no lists', by(NO_LISTS)],
  ['a block list', by(BLOCKED)],
  ['an allow list', by(ALLOWED)],
  ['both', by(BOTH)],
  ['a brand of its own', by(NO_LISTS, TAUGHT)],
] as const;

describe.each(URLS)('%s', (url) => {
  test.each(WORLDS.flatMap(([was, then]) => WORLDS.map(([is, today]) => [was, is, then, today] as const)))(
    'scored with %s, then re-scored with %s, equals a new check',
    (_was, _is, then, today) => {
      const kept = checked(url, then);
      const again = createRescorer(today)(kept);
      const anew = checked(url, today);
      expect(again?.was).toEqual({ probability: kept.malicious_probability, decision: kept.decision });
      expect(again?.now.decision).toBe(anew.decision);
      expect(again?.now.probability).toBeCloseTo(anew.malicious_probability, 9);
    },
  );
});

const judged = (url: string, then: ScoringContext, today: ScoringContext) => createRescorer(today)(checked(url, then));

test('re-scoring reports the cause of a difference', () => {
  const [url = ''] = URLS;
  const listed = 'The URL is on the block list feed.txt: line 2, example.org.';
  expect(judged(url, by(NO_LISTS), by(BLOCKED))).toMatchObject({ because: 'lists', reason: listed });
  const gone = { because: 'lists', reason: `No longer: ${listed}` };
  expect(judged(url, by(BLOCKED), by(NO_LISTS))).toMatchObject(gone);
  const own = 'https://account-check.example/signin';
  expect(judged(own, by(NO_LISTS), by(NO_LISTS, TAUGHT))).toMatchObject({
    because: 'brand',
    reason: expect.stringContaining("is configured as Account-Check's own domain"),
  });
  const stricter = { ...by(NO_LISTS), settings: { ...SETTINGS, thresholds: { warn: 1e-9, block: 0.999 } } };
  expect(judged(url, by(NO_LISTS), stricter)).toMatchObject({
    now: { decision: 'warn' },
    because: 'settings',
    reason: null,
  });
});

test('a check without a page keeps its host observations when another model version re-scores it', () => {
  const kept = checked('http://192.0.2.7/login.php', by(NO_LISTS));
  const renamed = { ...MODELS, version: 'another' };
  const again = createRescorer(by(NO_LISTS, renamed))(kept);
  expect(again?.now.probability).toBeCloseTo(kept.malicious_probability, 9);
});

test('a list entry that a mask hides from re-scoring still counts', () => {
  const secret = 'https://shop.example/in?token=0f9c2b7e4d5a6180';
  const lists: LocalLists = { block: [listOf('feed.txt', secret)], allow: [], stored: [] };
  const kept = maskResult(checked(secret, by(lists)), 'public').stored;
  expect(kept.analysis_details.normalized_url).toContain('***');
  expect(createRescorer(by(lists))(kept)?.now.decision).toBe('block');
});

test('a stored URL that cannot be scored is left out', () => {
  const kept = checked('https://www.example.org/', by(NO_LISTS));
  const details = { ...kept.analysis_details, normalized_url: 'https://exa mple/' };
  expect(createRescorer(by(NO_LISTS))({ ...kept, analysis_details: details })).toBeNull();
});
