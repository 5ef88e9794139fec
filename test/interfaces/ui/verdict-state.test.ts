import { expect, test } from 'bun:test';
import type { AnalysisDetails, Reason } from '#src/checks/record/check-result.ts';
import { leadingReasons } from '#src/interfaces/ui/result/reasons/leading-reasons.ts';
import { coverageWord, lookOf, stateOf } from '#src/interfaces/ui/result/verdict-state.ts';
import { sampleResult } from './sample-result.ts';

const reason = (code: string, weight: number): Reason =>
  ({ component: 'url', code, message: code, args: {}, weight }) as unknown as Reason;

const unavailable = (page: string) => [{ component: 'page', reason: page }] as AnalysisDetails['unavailable'];

/** An allowed link with ordinary reasons; `details` change it. */
function allowed(details: Partial<AnalysisDetails> = {}) {
  const sample = sampleResult();
  const ordinary = { coverage: 'full' as const, caution: false, unavailable: [], reasons: [reason('url.name', -2)] };
  const analysis_details = { ...sample.analysis_details, ...ordinary, ...details };
  return { result: { ...sample, decision: 'allow' as const, analysis_details }, mismatch: null };
}

test.each([
  ['a page that was read', {}, 'allow', 'allow'],
  [
    'an ordinary link that was not to be visited',
    { coverage: 'url_only', unavailable: unavailable('disabled') },
    'unseen',
    'unseen',
  ],
  [
    'a site that did not answer',
    { coverage: 'url_only', unavailable: unavailable('timeout') },
    'unreadable',
    'caution',
  ],
  ['an error page', { coverage: 'url_only', status_code: 503 }, 'unreadable', 'caution'],
  ['a page that was read in part', { coverage: 'partial' }, 'unreadable', 'caution'],
  [
    'a page that scripts draw',
    { coverage: 'partial', caution: true, reasons: [reason('page.drawn_by_script', 1), reason('url.name', -3)] },
    'unreadable',
    'caution',
  ],
  [
    'a short link without a target',
    { coverage: 'url_only', caution: true, reasons: [reason('redirects.end_unseen', 1.2), reason('url.name', -2)] },
    'target',
    'caution',
  ],
  ['a signal', { caution: true, reasons: [reason('brand.name_in_path', 0.9)] }, 'caution', 'caution'],
  [
    'an allow list',
    { coverage: 'url_only', unavailable: unavailable('disabled'), reasons: [reason('lists.allowed', -9)] },
    'listed',
    'unseen',
  ],
  ['an allow list and a page that was read', { reasons: [reason('lists.kept_allowed', -9)] }, 'listed', 'allow'],
] as const)('names %s', (_, details, state, look) => {
  const shown = allowed(details as Partial<AnalysisDetails>);
  expect([stateOf(shown), lookOf(shown)]).toEqual([state, look]);
});

test('what the message says of a link comes before a list that allows it', () => {
  const shown = {
    ...allowed({ reasons: [reason('lists.allowed', -9)] }),
    mismatch: { says: 'a.example', goesTo: 'b.example' },
  };
  expect(stateOf(shown)).toBe('caution');
});

test('names how much of the page was read', () => {
  expect(
    coverageWord(allowed({ coverage: 'url_only', unavailable: unavailable('disabled') }).result.analysis_details),
  ).toBe('none');
  expect(coverageWord(allowed({ coverage: 'url_only', status_code: 404 }).result.analysis_details)).toBe('unread');
});

test('shows the strongest reasons for a headline, and none against it', () => {
  const reasons = [
    reason('url.other_patterns', 2),
    reason('url.name', -1.5),
    reason('brand.name_in_path', 1.1),
    reason('url.words', 0.9),
    reason('dns.no_mail', 0.3),
    reason('lists.allowed', -0.2),
  ];
  const codes = (state: Parameters<typeof leadingReasons>[1]) =>
    leadingReasons({ reasons }, state).map(({ code }) => code as string);
  expect(codes('warn')).toEqual(['brand.name_in_path', 'url.other_patterns', 'url.words']);
  expect(codes('target')).not.toContain('url.name');
  expect(codes('unseen')).toEqual(['lists.allowed', 'url.name']);
  expect(codes('listed')).toEqual(['lists.allowed']);
});
