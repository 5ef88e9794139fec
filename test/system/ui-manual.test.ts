import { expect, test } from 'bun:test';
import { PARTS } from '#src/service/manual/parts.ts';
import { axeFaults } from './axe.ts';
import { expectShown } from './expect-shown.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const;

for (const look of LOOKS) {
  test.each(Object.keys(PARTS))(
    `axe finds no fault on “%s”, ${look.colorScheme}, ${look.viewport.width} wide, and nothing is wider than the screen`,
    async (name) => {
      await using watched = await browser.open(`${service.url}/help/${name}`, look);
      const { page, troubles } = watched;
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      expect(await axeFaults(page)).toEqual([]);
      expect(troubles).toEqual([]);
    },
  );
}

test('the footer links to the manual, which can be read without scripts', async () => {
  await using watched = await browser.open(`${service.url}/`);
  await watched.page.locator('.bottom a[hreflang=en]').click();
  await watched.page.locator('main h1').waitFor();
  await using plain = await browser.open(watched.page.url(), { javaScriptEnabled: false });
  await plain.page.locator('main a', { hasText: 'privacy' }).click();
  await plain.page.waitForURL('**/help/privacy');
  await expectShown(() => plain.page.locator('main h1').textContent()).toBe('Privacy');
  await plain.page.locator('.brand').click();
  await plain.page.waitForURL(`${service.url}/`);
  expect(plain.troubles).toEqual([]);
});

test('a printed part contains only its text, dark on light', async () => {
  await using watched = await browser.open(`${service.url}/help/alerts`, { colorScheme: 'dark' });
  const { page } = watched;
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.locator('.top').isVisible()).toBe(false);
  expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toBe('light');
  await expectShown(() => page.locator('main h2').first().isVisible()).toBe(true);
});
