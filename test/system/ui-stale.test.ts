import { expect, test } from 'bun:test';
import { LURE_HTML } from '#test/engine/message/mails.ts';
import { expectShown } from './expect-shown.ts';
import { checkButton, linkBox, resultSection, type WatchedPage } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 1280, height: 720 } };

/** A page that shows the result of a harmless link. */
async function checkedPage(): Promise<WatchedPage> {
  const watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page } = watched;
  await linkBox(page).fill('https://www.debian.org/');
  await checkButton(page).click();
  await resultSection(page).waitFor();
  return watched;
}

/** That nothing on the page still says what was found for the link before. */
async function expectOutdated({ page, troubles }: WatchedPage): Promise<void> {
  await page.getByText('Not checked yet: what is in the box now.').waitFor();
  await expectShown(() => page.title()).toBe('lurecheck');
  expect(await resultSection(page).isVisible()).toBe(false);
  expect(await page.locator('.verdict:visible').count()).toBe(0);
  await expectShown(() => page.locator('.outdated > summary').textContent()).toBe(
    'Earlier result, of https://www.debian.org/',
  );
  const announced = page.locator('[role=status]', { hasText: 'has not been checked' });
  await expectShown(() => announced.count()).toBe(1);
  const box = await linkBox(page).boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeLessThan(720);
  expect(troubles).toEqual([]);
}

const CHANGES: readonly (readonly [string, (watched: WatchedPage) => Promise<void>])[] = [
  [
    'a link is pasted anywhere on the page',
    async ({ page }) => {
      await page.evaluate('navigator.clipboard.writeText("http://paypal-login.verify-account.cyou/signin")');
      await page.locator('h2').first().focus();
      await page.keyboard.press('Control+V');
    },
  ],
  [
    'a message is dropped on the page',
    async ({ page }) => {
      await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text/html', ${JSON.stringify(LURE_HTML)});
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      })()`);
    },
  ],
  ['something is typed', async ({ page }) => void (await linkBox(page).fill('http://a.example/'))],
  [
    'another link comes with the address',
    async ({ page }) => page.evaluate('location.hash = "#url=https%3A%2F%2Fa.example"'),
  ],
];

test.each(CHANGES)('once %s, the earlier result is marked as outdated', async (_, change) => {
  await using watched = await checkedPage();
  await change(watched);
  await expectOutdated(watched);
  await watched.page.keyboard.press('Enter');
  await resultSection(watched.page).waitFor();
  expect(await watched.page.locator('.outdated').count()).toBe(0);
  expect(await resultSection(watched.page).textContent()).not.toContain('debian');
});

test('the result is shown again once the change is undone', async () => {
  await using watched = await checkedPage();
  const { page } = watched;
  await linkBox(page).pressSequentially('x');
  await expectOutdated(watched);
  await linkBox(page).fill('https://www.debian.org/');
  await resultSection(page).waitFor();
  await expectShown(() => page.title()).toContain(' – lurecheck');
});

test('a check whose input was changed meanwhile ends without a visible verdict', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page } = watched;
  const held = Promise.withResolvers<void>();
  await page.route('**/api/check-url/stream', async (route) => {
    await held.promise;
    await route.continue();
  });
  await linkBox(page).fill('https://www.debian.org/');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await linkBox(page).fill('http://paypal-login.verify-account.cyou/signin');
  held.resolve();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  await expectOutdated(watched);
  await page.keyboard.press('Enter');
  await resultSection(page).waitFor();
  await expectShown(() => resultSection(page).getAttribute('data-decision')).toBe('block');
});
