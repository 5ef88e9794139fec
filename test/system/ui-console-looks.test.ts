import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { sampleAnswer } from '#test/interfaces/ui/sample-console.ts';
import { SCREEN_NAMES } from '#test/support/screen-names.ts';
import { axeFaults } from './axe.ts';
import { screenIsThere } from './console-screen.ts';
import { expectShown } from './expect-shown.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();

/** Answers every request of the console from the samples. */
async function answerFromSamples(page: Page): Promise<void> {
  await page.route(/\/api\/(?:admin|session|history)/, (route) => {
    const request = route.request();
    const [method, path] = [request.method(), new URL(request.url()).pathname];
    const answer = sampleAnswer(method, path);
    const problem = { status: 404, code: '', detail: `${method} ${path}` };
    return route.fulfill({ status: answer ? 200 : 404, json: answer ?? problem });
  });
}

/** What a screen shows beyond its first sight, with the way there. */
const OPENED: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  history: async (page) => {
    await page.locator('.history-list summary').first().click();
    await page.locator('.history-more .action button').nth(1).click();
    await page.locator('.preview table').first().waitFor();
  },
  feedback: async (page) => {
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.locator('.queue form button[type="submit"]').click();
    await page.locator('.queue .preview').waitFor();
  },
  lists: async (page) => {
    await page.locator('form').first().getByRole('textbox').first().fill('some-list');
    await page.locator('form button[type="submit"]').first().click();
    await page.locator('.preview table').first().waitFor();
  },
  brands: async (page) => {
    await page.locator('[id="brand-new.domains"]').fill('bank.example');
    await page.locator('form button[type="submit"]').click();
    await page.locator('.preview table').first().waitFor();
  },
  models: async (page) => {
    await page.locator('.acts button').click();
    await page.locator('.preview').waitFor();
  },
  settings: (page) => page.locator('details summary').click(),
  keys: async (page) => {
    await page.locator('[id="key-new.name"]').fill('proxy');
    await page.locator('form button[type="submit"]').click();
    await page.locator('.secret code').waitFor();
    await page.locator('.acts .danger').nth(1).click();
    await page.locator('dialog[open]').waitFor();
  },
};

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
] as const;

const NAMES = [...SCREEN_NAMES, 'lists/national-cert'];

/** Elements that a finger misses: less than 44 CSS pixels wide or high, and not in a sentence. */
const MISSED = `[...document.querySelectorAll('main :is(a[href], button, select, textarea, input, summary)')].flatMap((one) => {
  const touched = one.matches('[type="checkbox"], [type="file"]') ? one.closest('label') ?? one : one;
  const { width, height } = touched.getBoundingClientRect();
  const isInSentence = one.localName === 'a' && getComputedStyle(one).display === 'inline';
  return width > 1 && height > 1 && !isInSentence && Math.min(width, height) < 44 ? [touched.outerHTML.slice(0, 120)] : [];
})`;

/** A sentence that is missing shows its key, one that was not filled in its braces. */
const UNSAID =
  /\{\w+\}|\b(?:screen|trouble|preview|today|feedback|keys|brands|models|packs|audit|gate|owner)\.[a-z]+\b/;

describeLooks('de');
describeLooks('ar');

function describeLooks(locale: string): void {
  test.each(LOOKS.map((look) => [look.colorScheme, look.viewport.width, look] as const))(
    `axe finds no fault on the screens in ${locale}, %s, %d wide, and a finger hits all that is on them`,
    async (_scheme, width, look) => {
      await using watched = await browser.open('about:blank', { ...look, locale, reducedMotion: 'reduce' });
      const { page } = watched;
      const troubles: string[] = [];
      page.on('pageerror', ({ message }) => troubles.push(message));
      await answerFromSamples(page);
      await page.goto(`${service.url}/`);
      for (const name of NAMES) {
        await page.evaluate(`void (location.hash = '#/console/${name}')`);
        await expectShown(() => page.evaluate(screenIsThere(name))).toBe(true);
        await OPENED[name]?.(page);
        const text = (await page.locator('.console').textContent()) ?? '';
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        const missed = 'hasTouch' in look ? await page.evaluate<string[]>(MISSED) : [];
        expect([name, await axeFaults(page), missed, wide, UNSAID.exec(text)]).toEqual([name, [], [], width, null]);
        await page.keyboard.press('Escape');
      }
      expect(troubles).toEqual([]);
    },
  );
}

test('a page without the console loads nothing of it, and the console loads no other language', async () => {
  await using watched = await browser.open(`${service.url}/`, { locale: 'de' });
  const { page, requests } = watched;
  await answerFromSamples(page);
  const textsIn = () => requests.flatMap((one) => /\/assets\/(\w+-\w+)-\w+\.json\b/.exec(one)?.[1] ?? []);
  await page.locator('html[lang="de"]').waitFor();
  expect(requests.filter((one) => one.includes('console-'))).toEqual([]);
  expect(textsIn()).toEqual(['de-page']);
  await page.goto(`${service.url}/#/console`);
  await page.locator('.console h1').waitFor();
  expect(new Set(textsIn())).toEqual(new Set(['de-page', 'de-console']));
  expect(await page.locator('.console h1').textContent()).toBe('Heute');
});
