import { describe, expect, test } from 'bun:test';
import { collectNgrams, createNgrams, NGRAM_FIELDS } from '#src/engine/lexical/ngrams.ts';
import { partsOf } from '#src/engine/lexical/url-parts.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';

const parts = (url: string) => partsOf(targetOf(url), knowledge);

describe('the parts of a URL', () => {
  test.each([
    ['https://www.shop.example.co.uk/a/b/?q=1', 'example', 'co.uk', 'shop', 'a/b'],
    ['https://someone.github.io/', 'someone', 'github.io', '', ''],
    ['https://a.someone.github.io/x', 'someone', 'github.io', 'a', 'x'],
    ['https://www.com/', 'www', 'com', '', ''],
    ['http://192.0.2.7:81/x', '192.0.2.7', '', '', 'x'],
  ])('of %s', (url, label, suffix, subdomain, path) => {
    expect(parts(url)).toMatchObject({ label, suffix, subdomain, path });
  });

  test('distinguish a platform’s user from the platform, and a popular site from third-party content', () => {
    expect(parts('https://someone.github.io/')).toMatchObject({ isHosted: true, popularity: null });
    expect(parts('https://en.wikipedia.org/wiki/Fish')).toMatchObject({ isHosted: false });
    expect(parts('https://en.wikipedia.org/wiki/Fish').popularity).not.toBeNull();
    expect(parts('https://docs.google.com/forms/d/e/x/viewform')).toMatchObject({
      popularity: null,
      isBrandOwn: false,
    });
  });
});

test.each([
  ['https://www.paypal-login.example.com/a', 'https://paypal-login.example.com/a'],
  ['https://www.garden.weebly.com/paypal', 'https://garden.weebly.com/paypal'],
  ['https://www.allegro.test/paypal', 'https://allegro.test/paypal'],
])('%s names the same brands without www, also where a configured domain begins with it', (withWww, without) => {
  const own = knowledge.withConfigured([{ name: 'Allegro Test', domains: ['www.allegro.test'] }]);
  // As in a check, the URL itself is searched first.
  own.brandMatcher.find(targetOf(withWww));
  expect(partsOf(targetOf(withWww), own).brands).toEqual(partsOf(targetOf(without), own).brands);
});

test('the n-grams of the longest URL fit in their buffer, and the fields are in order', () => {
  const host = Array.from({ length: 4 }, (_, i) => `${i}${'a-b.'.repeat(14)}cde`)
    .join('.')
    .slice(0, 240);
  const ngrams = createNgrams();
  collectNgrams(parts(`https://${host}.com/${'aB1/'.repeat(1500)}?${'x=1&'.repeat(400)}`), ngrams);
  const ends = [...ngrams.ends];
  expect(ends.length).toBe(NGRAM_FIELDS.length);
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  expect(ends.at(-1) ?? 0).toBeLessThan(ngrams.hashes.length);
  expect(ends.at(-1) ?? 0).toBeGreaterThan(1000);
});
