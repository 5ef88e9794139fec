import { expect, test } from 'bun:test';
import { redirectsAnalyzer } from '#src/engine/analyzers/redirects.ts';
import { targetOf } from '#test/support/target.ts';
import { KNOWLEDGE, NOTHING, observed, visit } from './evidence-samples.ts';

const analyze = (...urls: readonly string[]) =>
  redirectsAnalyzer.analyze({
    target: targetOf(urls[0] ?? ''),
    observations: { page: observed(visit(...urls)) },
    knowledge: KNOWLEDGE,
    page: null,
  });
const names = (...urls: readonly string[]) => analyze(...urls)?.features.map(({ name }) => name as string);

test('returns null without an observation', () => {
  const subject = { target: targetOf('https://a.com/'), observations: NOTHING, knowledge: KNOWLEDGE, page: null };
  expect(redirectsAnalyzer.analyze(subject)).toBeNull();
});

test.each([
  ['https://sho.rt/x', ['redirects.end_unseen']],
  ['https://sho.rt/', undefined],
  ['https://a.com/x', undefined],
])('an unvisited link %s has the features %p', (url, expected) => {
  const found = redirectsAnalyzer.analyze({
    target: targetOf(url),
    observations: NOTHING,
    knowledge: KNOWLEDGE,
    page: null,
  });
  expect(found?.features.map(({ name }) => name as string)).toEqual(expected);
});

test.each([
  ['no redirect', ['https://a.com/']],
  ['an upgrade', ['http://a.com/', 'https://a.com/']],
  ['an upgrade and a www', ['http://a.com/', 'https://a.com/', 'https://www.a.com/login']],
  ['another country of the same name', ['https://a.com/', 'https://www.a.co.uk/']],
])('has no feature for %s', (_, urls) => {
  expect(names(...urls)).toEqual([]);
});

test.each([
  [['https://a.com/', 'https://b.com/'], ['redirects.lands_on_other_site']],
  [['https://sho.rt/x', 'https://b.com/'], ['redirects.through_shortener']],
  [
    ['https://a.com/', 'http://192.0.2.1/'],
    ['redirects.lands_on_address', 'redirects.falls_back_to_http'],
  ],
  [
    ['https://a.com/', 'https://me.pages.example/'],
    ['redirects.lands_on_other_site', 'redirects.lands_on_open_platform'],
  ],
  [
    ['https://a.com/', 'https://sho.rt/x', 'https://b.com/'],
    ['redirects.through_shortener', 'redirects.through_many_sites'],
  ],
  [['https://a.com/', 'http://a.com/', 'https://a.com/'], ['redirects.falls_back_to_http']],
])('%p has the features %p', (urls, expected) => {
  expect(names(...urls)).toEqual(expected);
});

test('a longer chain never lowers the value', () => {
  const strengths = [1, 2, 3, 4, 5, 6, 20].map(
    (hops) =>
      analyze(...Array.from({ length: hops + 1 }, (_, i) => `https://a.com/${i}`))?.features.find(
        ({ name }) => name === 'redirects.long_chain',
      )?.value ?? 0,
  );
  expect(strengths).toEqual(strengths.toSorted((a, b) => a - b));
  expect([strengths.at(1), strengths.at(-1)]).toEqual([0, 1]);
});

test('ignores a location that is not a web address', () => {
  const broken = { ...visit('https://a.com/', 'https://a.com/b'), finalUrl: 'https://a.com/b' };
  const redirects = broken.redirects.map((hop) => ({ ...hop, location: 'javascript:alert(1)' }));
  const page = observed({ ...broken, redirects });
  const subject = { target: targetOf('https://a.com/'), observations: { page }, knowledge: KNOWLEDGE, page: null };
  expect(redirectsAnalyzer.analyze(subject)?.features).toEqual([]);
});
