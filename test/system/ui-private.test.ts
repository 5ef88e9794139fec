import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { createConsoleKey, signInWith } from './console-key.ts';
import { expectShown } from './expect-shown.ts';
import { checkButton, linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser, dataDir } = await openStage();
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const SECRET = 'http://paypal-login.verify-account.cyou/invite/abc';
const KEPT = 'This comes from a private check or from a link to one, so it stays private.';

const clipboardOf = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** Checks the link of the text box, which must stay private and say so. */
async function expectKept(page: Page): Promise<void> {
  await page.getByText(KEPT).waitFor();
  const publicly = page.getByRole('radio', { name: 'Public' });
  expect(await publicly.isDisabled()).toBe(true);
  expect(await page.getByRole('radio', { name: 'Private' }).isChecked()).toBe(true);
  await linkBox(page).focus();
  await page.keyboard.press('Enter');
}

async function expectNothingPublic(): Promise<void> {
  const { items } = await service.history();
  expect(items.map(({ url }) => url).filter((url) => url.includes('verify-account'))).toEqual([]);
}

test('a row of the private log is checked again privately, also in other notations and after edits', async () => {
  await service.result(SECRET, true);
  const key = await createConsoleKey(dataDir, 'ops');
  await using watched = await browser.open(`${service.url}/#/console/history?log=private`);
  const { page } = watched;
  await signInWith(page, key);
  await page.locator('.history-list summary').first().click();
  await page.getByRole('button', { name: 'Repeat the check' }).click();
  await expectKept(page);
  await resultSection(page).filter({ hasText: 'kept in the private log' }).waitFor();
  await linkBox(page).fill('hxxp://paypal-login[.]verify-account[.]cyou/');
  await expectKept(page);
  await resultSection(page).filter({ hasText: 'kept in the private log' }).waitFor();
  await linkBox(page).fill('https://www.debian.org/');
  await page.getByText(KEPT).waitFor({ state: 'hidden' });
  await expectShown(() => page.getByRole('radio', { name: 'Public' }).isChecked()).toBe(true);
  await expectNothingPublic();
});

test('links to a private result and to a private batch open for private checks', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page } = watched;
  await page.getByText('Private', { exact: true }).click();
  await linkBox(page).fill(SECRET);
  await checkButton(page).click();
  await page.getByRole('button', { name: 'Copy link to this result' }).click();
  await page.getByText('Whoever has this link can read the result').waitFor();
  await using ofResult = await browser.open(await clipboardOf(page));
  await ofResult.page.getByRole('button', { name: 'Repeat the check' }).click();
  await resultSection(ofResult.page).filter({ hasText: 'kept in the private log' }).waitFor();
  await linkBox(page).fill(`${SECRET}\n${SECRET}/2`);
  await checkButton(page).click();
  await page.locator('.batch-list button').nth(1).waitFor();
  await page.getByRole('button', { name: 'Copy link to this batch' }).click();
  await page.locator('.batch .actions-said', { hasText: 'not the verdicts' }).waitFor();
  await using ofBatch = await browser.open(await clipboardOf(page));
  await expectKept(ofBatch.page);
  await ofBatch.page.locator('.batch-list button').nth(1).waitFor();
  await expectNothingPublic();
});

test('a public result opens for a public check', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page } = watched;
  await linkBox(page).fill('https://www.debian.org/');
  await checkButton(page).click();
  await page.getByRole('button', { name: 'Copy link to this result' }).click();
  await page.getByText('Whoever has this link can read the result').waitFor();
  await using opened = await browser.open(await clipboardOf(page));
  await opened.page.getByRole('button', { name: 'Repeat the check' }).click();
  await resultSection(opened.page).filter({ hasText: 'kept in the public log' }).waitFor();
});
