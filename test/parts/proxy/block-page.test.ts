import { describe, expect, test } from 'bun:test';
import { LANGUAGES } from '#src/core/languages/languages.ts';
import { blockPage, languageFor } from '#src/parts/proxy/block-page.ts';
import { blockPageTexts } from '#src/parts/proxy/block-page-texts.ts';

const BLOCK_PAGE_TEXTS = blockPageTexts();

const PAGE = {
  host: { text: 'xn--bcher-kva.example' },
  cause: 'suspicious' as const,
  reasons: ['url.name', 'brand.look_alike', 'url.words', 'url.suffix', 'no.such.code'],
  requestId: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b',
  reportUrl: 'https://check.example/?a="<b>',
  overridePath: null,
};

describe('the language for an Accept-Language header', () => {
  test.each([
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,en;q=0.8', 'de'],
    ['en;q=0.5, ja', 'ja'],
    ['sv, it;q=0.3', 'it'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['*', 'en'],
    ['constructor, __proto__', 'en'],
  ])('%p is %s', (header, expected) => {
    expect(languageFor(header)).toBe(expected as 'en');
  });
});

test.each(['listed', 'test', 'watchTest'] as const)('the block page names its cause: %s', (cause) => {
  for (const language of Object.keys(LANGUAGES))
    expect(blockPage({ ...PAGE, cause }, language)).toContain(BLOCK_PAGE_TEXTS[language as 'en'][cause]);
});

test('the block page shows the host, three reasons and the request id, escaped and without scripts', () => {
  const page = blockPage(PAGE, 'ar');
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toContain('<bdi>bücher.example</bdi>');
  expect(page.match(/<li>/g)).toHaveLength(3);
  expect(page).toContain(PAGE.requestId);
  expect(page).toContain('href="https://check.example/?a=&#34;&#60;b&#62;"');
  expect(page).not.toMatch(/<script|\son\w+=|\{\w+\}|lurecheck-override/);
});
