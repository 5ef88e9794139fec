import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { readTexts } from '#src/core/languages/read-texts.ts';
import { REASONS } from '#src/engine/reasons/catalogue.ts';
import type { Language } from '#src/interfaces/ui/languages/language.ts';
import { drawnResults } from '#test/interfaces/ui/drawn-results.ts';
import { streamOf } from '#test/interfaces/ui/sample-result.ts';
import { linkBox } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

/** Links that the page takes at once. */
const AT_ONCE = 125;

const results = drawnResults(AT_ONCE, 15);
const { service, browser } = await openStage();

const wordsOf = (texts: readonly string[]) =>
  new Set(
    texts
      .join(' ')
      .toLowerCase()
      .match(/[a-z]{3,}/g),
  );
const textsOf = ({ sentences, headings, reasons, words }: Language) =>
  [sentences, headings, reasons, words].flatMap((one) => Object.values<string>(one));

/** As they stand in dates: August is `ago` in Spain. */
const monthsOf = (tag: string) =>
  Array.from({ length: 12 }, (_, month) =>
    new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(new Date(2026, month, 9)),
  );

const TEXTS = readTexts();
const english = wordsOf([...textsOf(TEXTS.en.page), ...REASONS.map(([, , sentence]) => sentence)]);
const others = Object.entries(TEXTS)
  .filter(([tag]) => tag !== 'en')
  .map(([tag, { page }]) => [tag, wordsOf([...textsOf(page), ...monthsOf(tag)])] as const);

/**
 * Opens one result after the other, and takes of each what the page itself says: not what it quotes of the link, of the site
 * or of the service's JSON. What is marked as English is the page's own, wherever it stands.
 */
const OWN_TEXTS = `(async () => {
  const all = [];
  // Texts are read and nothing is looked at, so that nothing need be laid out.
  document.body.style.display = 'none';
  for (const button of document.querySelectorAll('.batch-list button')) {
    button.click();
    const section = document.querySelector('section[data-decision]');
    section.querySelector('.analysts').open = true;
    while (!section.querySelector('.panels')) await new Promise(requestAnimationFrame);
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
      const { parentElement: within, data } = walker.currentNode;
      if (within.closest('pre, .raw .note')) continue;
      if (within.closest('.foreign') && !within.closest('[lang]:not(html)')) continue;
      if (/\\p{L}{2}/u.test(data)) texts.push(data);
    }
    for (const element of section.querySelectorAll('[aria-label], [title]')) {
      if (!element.closest('pre')) texts.push(element.getAttribute('aria-label') ?? element.title);
    }
    all.push(texts);
  }
  document.body.style.display = '';
  return all;
})()`;

async function ownTexts(page: Page, tags: readonly string[]): Promise<Map<string, string[][]>> {
  const links = results.map((_, index) => `https://drawn-${index}.example/`);
  await page.route('**/api/check-url/stream', async (route) => {
    const { url } = route.request().postDataJSON();
    const result = results[links.indexOf(url)];
    if (result) await route.fulfill(streamOf(result));
    else await route.abort();
  });
  await linkBox(page).fill(links.join('\n'));
  await page.keyboard.press('Enter');
  await page
    .locator('.batch-list button')
    .nth(AT_ONCE - 1)
    .waitFor();
  const said = new Map<string, string[][]>();
  for (const tag of tags) {
    await page.locator('#language').selectOption(tag);
    await page.locator(`html[lang="${tag}"]`).waitFor();
    await page
      .locator('.batch-list button')
      .nth(AT_ONCE - 1)
      .waitFor();
    said.set(tag, await page.evaluate<string[][]>(OWN_TEXTS));
  }
  return said;
}

test('none of 125 results in each language contains an English word that the language translates', async () => {
  await using watched = await browser.open(`${service.url}/`, { reducedMotion: 'reduce' });
  const tags = others.map(([tag]) => tag);
  const said = await ownTexts(watched.page, tags);
  const leftovers = others.map(([tag, own]) => {
    const foreign = english.difference(own);
    const found = (said.get(tag) ?? []).map((texts) =>
      texts.filter((text) => !wordsOf([text]).isDisjointFrom(foreign)),
    );
    const withSome = found.filter((texts) => texts.length > 0);
    const texts = withSome.flat();
    return {
      tag,
      results: found.length,
      withSome: withSome.length,
      texts: texts.length,
      such: [...new Set(texts)].slice(0, 8),
    };
  });
  const none = { results: results.length, withSome: 0, texts: 0, such: [] };
  expect(leftovers).toEqual(others.map(([tag]) => ({ tag, ...none })));
});
