import { expect, test } from 'bun:test';
import { changesOf, type SiteVerdict, siteVerdictOf } from '#src/interfaces/ui/result/verdict-changes.ts';
import { sampleHistory } from './sample-stats.ts';

const check = (more: Partial<SiteVerdict>): SiteVerdict => ({
  url: 'https://a.example/',
  look: 'allow',
  probability: 0.1,
  timestamp: '2026-11-20T10:00:00.000Z',
  model: '1',
  coverage: 'full',
  ...more,
});

test('checks with the same verdict have no change, even if other fields differ', () => {
  expect(changesOf([])).toEqual([]);
  expect(changesOf([check({}), check({ model: '2', url: 'https://a.example/b', probability: 0.3 })])).toEqual([]);
});

test.each([
  [{}, { look: 'block' }, []],
  [{ coverage: 'url_only' }, { look: 'block' }, ['page_seen']],
  [{}, { look: 'caution', coverage: 'partial' }, ['page_unseen']],
  [{ coverage: null }, { look: 'block' }, []],
  [{ model: '' }, { look: 'block' }, []],
  [{ look: 'block' }, { model: '2', url: 'https://a.example/b' }, ['model', 'link']],
] as const)('the change from %j to %j has the differences %j', (from, to, differs) => {
  const checks = [check(from), check(to)];
  expect(changesOf(checks)).toEqual([{ from: checks[0], to: checks[1], differs } as never]);
});

test('returns each verdict change in a sequence', () => {
  const looks = ['allow', 'allow', 'warn', 'warn', 'block', 'allow'] as const;
  const changes = changesOf(looks.map((look) => check({ look })));
  expect(changes.map(({ from, to }) => `${from.look} ${to.look}`)).toEqual(['allow warn', 'warn block', 'block allow']);
});

test('distinguishes an allowed check that needs caution from one that does not', () => {
  const [item] = sampleHistory().items;
  if (item === undefined) throw new Error('there is no sample');
  expect(siteVerdictOf({ ...item, decision: 'allow', caution: true }).look).toBe('caution');
  expect(siteVerdictOf({ ...item, decision: 'allow', caution: null }).look).toBe('allow');
  expect(siteVerdictOf({ ...item, decision: 'block', caution: false }).look).toBe('block');
});
