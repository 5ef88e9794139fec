import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { sampleResult, streamOf } from '#test/interfaces/ui/sample-result.ts';
import { sampleHistory, sampleStats } from '#test/interfaces/ui/sample-stats.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { linkBox, openBrowser, resultSection } from './ui-browser.ts';

// Takes the pictures that the README shows and that are looked at before a release: bun test/system/ui-screenshots.ts
const FOLDER = 'test/interfaces/ui/screenshots';

const SIGHTS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  check: async (page) => {
    await linkBox(page).fill('hxxps://login-paypa1[.]example/verify');
  },
  result: async (page) => {
    await linkBox(page).fill('https://example.com/');
    await page.keyboard.press('Enter');
    await resultSection(page).evaluate('window.scrollTo(0, document.querySelector(".result").offsetTop - 24)');
  },
  history: async (page) => {
    await page.goto(page.url().replace(/#.*|$/, '#/history'));
    await page.locator('.history-list li').first().waitFor();
  },
  overview: async (page) => {
    await page.goto(page.url().replace(/#.*|$/, '#/overview'));
    await page.locator('.disk').waitFor();
  },
};

const SCREENS = { desktop: { width: 1080, height: 760 }, phone: { width: 390, height: 780 } };

await using directory = temporaryDirectory();
await using service = await startService(directory.path);
await using browser = await openBrowser();
await mkdir(FOLDER, { recursive: true });
for (const colorScheme of ['light', 'dark'] as const) {
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const [name, show] of Object.entries(SIGHTS)) {
      await using watched = await browser.open(`${service.url}/`, { colorScheme, viewport, reducedMotion: 'reduce' });
      const { page } = watched;
      await page.route('**/api/check-url/stream', (route) => route.fulfill(streamOf(sampleResult())));
      await page.route('**/api/stats', (route) => route.fulfill({ json: sampleStats() }));
      await page.route('**/api/history*', (route) => route.fulfill({ json: sampleHistory() }));
      await show(page);
      await page.screenshot({ path: `${FOLDER}/${name}-${screen}-${colorScheme}.png` });
    }
  }
}
