import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { isLanguageTag, LANGUAGES } from '#src/core/languages/languages.ts';
import { sampleResult, streamOf } from '#test/interfaces/ui/sample-result.ts';
import { sampleStats } from '#test/interfaces/ui/sample-stats.ts';
import { axeFaults } from './axe.ts';
import { expectShown } from './expect-shown.ts';
import { linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();
await Promise.all(
  ['paypal-login.verify-account-secure.cyou', 'example.org'].map((host) => service.check(`http://${host}/`)),
);

/** Everything that the page can show, each with the way there. */
const SIGHTS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  check: async (page) => linkBox(page).waitFor(),
  refusal: async (page) => {
    await linkBox(page).fill('not a link');
    await page.keyboard.press('Enter');
    await page.locator('.complaint').waitFor();
  },
  result: async (page) => {
    await page.route('**/api/check-url/stream', (route) => route.fulfill(streamOf(sampleResult())));
    await linkBox(page).fill('https://example.com/');
    await page.keyboard.press('Enter');
    await resultSection(page).waitFor();
    await page.locator('.analysts > summary').click();
    await page.locator('.raw summary').click();
    await page.locator('.feedback summary').click();
  },
  batch: async (page) => {
    await linkBox(page).fill('https://example.com/\nhttp://paypal-login.verify-account-secure.cyou/');
    await page.keyboard.press('Enter');
    await page.locator('.batch-list button').nth(1).waitFor();
  },
  history: async (page) => {
    await page.locator('nav a').nth(1).click();
    await page.locator('.history-list li').first().waitFor();
  },
  overview: async (page) => {
    await page.locator('nav a').nth(2).click();
    await page.locator('.disk').waitFor();
  },
  filtered: async (page) => {
    await page.goto(page.url().replace(/#.*|$/, '#/history?domain=example.org'));
    await page.locator('.history-list summary').first().click();
    await page.locator('.counted').waitFor();
  },
  about: async (page) => {
    await page.locator('.bottom a').first().click();
    await page.locator('.about dt').first().waitFor();
  },
  help: async (page) => {
    await page.locator('nav a').nth(3).click();
    await page.locator('.bookmarklet').waitFor();
  },
};

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

for (const look of LOOKS) {
  test.each(Object.keys(SIGHTS))(
    `axe finds no fault on “%s”, ${look.colorScheme}, ${look.viewport.width} wide`,
    async (name) => {
      await using watched = await browser.open(`${service.url}/`, { ...look, reducedMotion: 'reduce' });
      const { page, troubles } = watched;
      await SIGHTS[name]?.(page);
      expect(await axeFaults(page)).toEqual([]);
      expect(troubles).toEqual([]);
    },
  );
}

test.each(['de', 'ar'])('axe finds no fault on a result in %s', async (locale) => {
  await using watched = await browser.open(`${service.url}/`, { locale, reducedMotion: 'reduce' });
  const { page, troubles } = watched;
  await SIGHTS['result']?.(page);
  expect(await axeFaults(page)).toEqual([]);
  expect(troubles).toEqual([]);
});

test('in a right-to-left language a URL is still displayed from left to right', async () => {
  await using watched = await browser.open(`${service.url}/`, { locale: 'ar' });
  const { page } = watched;
  await page.locator('html[dir="rtl"]').waitFor();
  const url = 'https://example.com/\u05d0\u05d1/paypal.com';
  await page.route('**/api/check-url/stream', (route) => route.fulfill(streamOf(sampleResult({ url, foreign: url }))));
  await linkBox(page).fill('https://example.com/');
  await page.keyboard.press('Enter');
  await resultSection(page).waitFor();
  const directions = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.result .mono')].map((one) => getComputedStyle(one).direction)`,
  );
  expect(new Set(directions)).toEqual(new Set(['ltr']));
});

/** Widths of phones, a tablet and a large screen, in pixels. */
const WIDTHS = [320, 390, 768, 1920];

test.each(Object.keys(LANGUAGES).filter(isLanguageTag))(
  'in %s every view of the page is translated completely, and no view is wider than its screen',
  async (tag) => {
    await using watched = await browser.open(`${service.url}/`, { locale: tag });
    const { page, troubles } = watched;
    await page.locator(`html[lang="${tag}"]`).waitFor();
    for (const [name, show] of Object.entries(SIGHTS)) {
      await page.goto('about:blank');
      await page.goto(`${service.url}/`);
      await show(page);
      // A sentence that is missing would show its key, one that was not filled in its braces.
      const text = (await page.locator('body').textContent()) ?? '';
      const [withoutJson = ''] = text.split('{\n  "url"');
      expect(withoutJson).not.toMatch(
        /\{\w+\}|\b(check|result|decision|history|overview|stage|status)\.[a-z]+\b(?!\.)/,
      );
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const shownWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect([name, shownWidth]).toEqual([name, width]);
      }
    }
    expect(troubles).toEqual([]);
  },
);

test('a browser loads only the language of its reader, and English if that one cannot be loaded', async () => {
  const loaded = async (locale: string, isBroken: boolean) => {
    await using watched = await browser.open('about:blank', { locale });
    const { page } = watched;
    const parts: string[] = [];
    await page.route('**/assets/*-page-*.json', async (route) => {
      parts.push(route.request().url());
      await (isBroken && parts.length === 1 ? route.abort() : route.continue());
    });
    await page.goto(`${service.url}/`);
    await linkBox(page).waitFor();
    return { parts: parts.length, lang: await page.locator('html').getAttribute('lang') };
  };
  expect(await loaded('en-GB', false)).toEqual({ parts: 1, lang: 'en' });
  expect(await loaded('de-AT', false)).toEqual({ parts: 1, lang: 'de' });
  expect(await loaded('de-AT', true)).toEqual({ parts: 2, lang: 'en' });
});

test('language and colours can be selected, and are the only data that the browser stores', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  await linkBox(page).fill('https://kept.example/secret');
  await page.getByLabel('Language').selectOption('fr');
  await page.locator('html[lang="fr"]').waitFor();
  await expectShown(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Ce lien est-il un piège\u202f?');
  await expectShown(() => linkBox(page).inputValue()).toBe('https://kept.example/secret');
  await expectShown(() => page.locator('#language:focus').count()).toBe(1);
  await page.getByLabel('Couleurs').selectOption('dark');
  await expectShown(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.reload();
  await expectShown(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await expectShown(() => page.locator('html').getAttribute('lang')).toBe('fr');
  expect(await page.evaluate<string>('Object.entries(localStorage).map((one) => one.join("=")).sort().join(" ")')).toBe(
    'lurecheck.language=fr lurecheck.theme=dark',
  );
  expect(await page.evaluate<string>('JSON.stringify(sessionStorage) + document.cookie')).toBe('{}');
});

test('all controls can be reached and used with the keyboard', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  const reached = new Set<string>();
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press('Tab');
    reached.add(
      await page.evaluate<string>(
        'document.activeElement.localName + " " + (document.activeElement.textContent || document.activeElement.value).slice(0, 12)',
      ),
    );
  }
  for (const expected of ['a Skip to the ', 'a lurecheck', 'a History', 'button Check', 'input public']) {
    expect([...reached]).toContain(expected);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Public' }).focus();
  await page.keyboard.press('ArrowRight');
  await expectShown(() => page.getByRole('radio', { name: 'Private' }).isChecked()).toBe(true);
});

/** What is drawn as an area, on a result and on the overview. */
const AREAS = '.bar, .stop, .marker, .zone, .part, .share, .legend span';

/** The shown ones of these elements that nothing sets off from what is behind them. */
const UNSEEN_AREAS = `[...document.querySelectorAll('${AREAS}')].filter((one) => one.getClientRects().length > 0).flatMap((one) => {
  const drawn = getComputedStyle(one, one.matches('.legend span') ? '::before' : null);
  const behind = getComputedStyle(document.body).backgroundColor;
  const isSeen = drawn.backgroundImage !== 'none' || ![behind, 'rgba(0, 0, 0, 0)'].includes(drawn.backgroundColor);
  return isSeen ? [] : [one.className];
})`;

test('with forced colours verdicts differ by shape and words, and bars and columns stay visible', async () => {
  await using watched = await browser.open(`${service.url}/`, { forcedColors: 'active', reducedMotion: 'reduce' });
  const { page, troubles } = watched;
  expect(await page.evaluate<boolean>('matchMedia("(forced-colors: active)").matches')).toBe(true);
  const verdicts: string[] = [];
  for (const decision of ['allow', 'warn', 'block'] as const) {
    await page.unrouteAll();
    await page.route('**/api/check-url/stream', (route) =>
      route.fulfill(streamOf({ ...sampleResult(), decision, malicious_probability: 0.01 })),
    );
    await page.goto('about:blank');
    await page.goto(`${service.url}/`);
    await linkBox(page).fill('https://example.com/');
    await page.keyboard.press('Enter');
    const result = resultSection(page);
    await result.waitFor();
    const icon = result.locator('.decision-icon').first();
    await expectShown(() => icon.isVisible()).toBe(true);
    verdicts.push(
      await page.evaluate<string>(`document.querySelector('.result .decision-icon').innerHTML`),
      (await result.getByRole('heading', { level: 2 }).textContent()) ?? '',
    );
    await expectShown(() => page.locator(AREAS).count()).toBeGreaterThan(0);
    expect(await page.evaluate<string[]>(UNSEEN_AREAS)).toEqual([]);
  }
  expect(new Set(verdicts).size).toBe(verdicts.length);
  await page.route('**/api/stats', (route) => route.fulfill({ json: sampleStats() }));
  await SIGHTS['overview']?.(page);
  await expectShown(() => page.locator('.part').count()).toBeGreaterThan(0);
  expect(await page.evaluate<string[]>(UNSEEN_AREAS)).toEqual([]);
  const outlines = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.segments input')].map((one) => one.checked + ' ' + getComputedStyle(one.nextElementSibling).outlineStyle)`,
  );
  expect(outlines).toEqual(['true solid', 'false none']);
  expect(troubles).toEqual([]);
});

/** What is touched and is less than 44 pixels high or wide; links within a sentence are as high as its lines. */
const SMALL_TARGETS = `[...document.querySelectorAll('a[href], button, select, textarea, input, summary')].flatMap((one) => {
  const touched = one.matches('[type="radio"], [type="checkbox"], [type="file"]') ? one.closest('label') ?? one : one;
  const { width, height } = touched.getBoundingClientRect();
  const isShown = width > 1 && height > 1 && !one.matches('.skip');
  const isInSentence = one.localName === 'a' && getComputedStyle(one).display === 'inline';
  const isLarge = Math.min(width, height) >= 44;
  return isShown && !isInSentence && !isLarge ? [touched.outerHTML.slice(0, 120) + ' ' + width + ' × ' + height] : [];
})`;

test('every control is large enough for a finger', async () => {
  const viewport = { width: 390, height: 844 };
  await using watched = await browser.open(`${service.url}/`, { viewport, hasTouch: true, isMobile: true });
  const { page } = watched;
  expect(await page.evaluate<boolean>('matchMedia("(pointer: coarse)").matches')).toBe(true);
  const small: string[] = [];
  for (const [name, show] of Object.entries(SIGHTS)) {
    await page.goto('about:blank');
    await page.goto(`${service.url}/`);
    await show(page);
    small.push(...(await page.evaluate<string[]>(SMALL_TARGETS)).map((one) => `${name}: ${one}`));
  }
  expect(small).toEqual([]);
});
