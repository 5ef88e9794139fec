import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { expectShown } from './expect-shown.ts';
import { picture } from './picture.ts';
import { checkButton, chooseAction, linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';
const LINKS = ['https://www.debian.org/', PHISHING, 'http://docs-update.example/', 'https://example.com/'];
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

/** As many links as a help desk gets in a morning, one of them phishing. */
const SIXTY = [
  ...LINKS,
  LINKS[0],
  PHISHING,
  ...Array.from({ length: 56 }, (_, at) => `https://site${at}.example/news/${at}`),
];

test('60 links have one headline, filters and steps, and their results survive a reload', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await linkBox(page).fill(SIXTY.join('\n'));
  await page.getByRole('button', { name: 'Check 60 links' }).click();
  const lines = page.locator('.batch > .batch-list > li');
  await page.locator('.progress').waitFor({ state: 'hidden' });
  await page.locator('h2:focus').waitFor();
  await expectShown(() => page.locator('.batch h2').textContent()).toBe('Phishing in 1 of 60 links');
  const figures = page.locator('.batch-filter button:visible');
  await expectShown(() => figures.allTextContents()).toEqual(['All 60', 'Block 1', 'Be wary 1', 'Ordinary link 58']);
  await expectShown(() => page.title()).toBe('1 Block, 1 Be wary, 58 Ordinary link – lurecheck');
  await expectShown(() => lines.first().textContent()).toContain('paypal-login');
  await figures.filter({ hasText: 'Be wary' }).click();
  await expectShown(() => lines.count()).toBe(1);
  await figures.filter({ hasText: 'All 60' }).click();
  await expectShown(() => lines.count()).toBe(60);
  // The form is one line: the answer begins in the upper half of the screen.
  expect((await page.locator('.batch h2').boundingBox())?.y).toBeLessThan(300);
  await picture(page, 'desk-60');
  await page.reload();
  await page.getByText('1 of 60 links').waitFor();
  await expectShown(() => lines.count()).toBe(60);
  await lines.first().getByRole('button').click();
  await expectShown(() => page.title()).toBe('Do not open this link – lurecheck');
  await expectShown(() => page.locator('.steps span').textContent()).toBe('1 of 60');
  await page.getByRole('button', { name: 'Next' }).click();
  await expectShown(() => resultSection(page).locator('h2').textContent()).toBe('No clear phishing, but be wary');
  await expectShown(() => page.locator('.line[aria-current]').textContent()).toContain('docs-update');
  await page.getByRole('button', { name: 'Check another' }).click();
  await page.getByText('Who may see').waitFor({ state: 'attached' });
  await linkBox(page).fill(LINKS.slice(0, 2).join('\n'));
  await page.getByText('Private', { exact: true }).click();
  await checkButton(page).click();
  await page.getByText('These results are gone once the page is left or reloaded.').waitFor();
  expect(await page.evaluate<string>('JSON.stringify(Object.keys(sessionStorage))')).not.toContain('batch');
  expect(troubles).toEqual([]);
});

test('a batch is exported as a table, and copied as defanged links', async () => {
  await using watched = await browser.open(`${service.url}/`, { ...CLIPBOARD, acceptDownloads: true });
  const { page, troubles } = watched;
  await linkBox(page).fill(LINKS.join('\n'));
  await checkButton(page).click();
  await page.locator('.batch-list button').nth(3).waitFor();
  await page.getByRole('button', { name: 'Copy links, not clickable' }).click();
  await page.locator('.batch .actions-said', { hasText: 'Copied' }).waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('hxxps://www[.]debian[.]org/');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const rows = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(rows.length).toBe(5);
  expect(rows.filter((row) => row.includes(',block,')).length).toBe(1);
  expect(troubles).toEqual([]);
});

test('a link can be pasted in any view, and earlier results of the tab can be opened', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page, troubles } = watched;
  await linkBox(page).fill(PHISHING);
  await page.keyboard.press('Enter');
  await page.locator('h2:focus').waitFor();
  await page.evaluate('navigator.clipboard.writeText("https://www.debian.org/")');
  await page.keyboard.press('Control+V');
  await expectShown(() => linkBox(page).inputValue()).toBe('https://www.debian.org/');
  await page.keyboard.press('Enter');
  await resultSection(page).filter({ hasText: 'Nothing suspicious in the link' }).waitFor();
  await page.getByText('Checked in this tab').click();
  await page.locator('.recent button').click();
  await expectShown(() => resultSection(page).getAttribute('data-decision')).toBe('block');
  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('h1:focus').waitFor();
  await page.keyboard.press('/');
  await page.locator('textarea:focus').waitFor();
  expect(page.url()).toBe(`${service.url}/#/`);
  await page.keyboard.press('/');
  await expectShown(() => linkBox(page).inputValue()).toContain('/');
  expect(await page.evaluate<string>('JSON.stringify(localStorage) + JSON.stringify(sessionStorage)')).toBe('{}{}');
  expect(troubles).toEqual([]);
});

test('a result is copied as a ticket with one action', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page } = watched;
  await linkBox(page).fill(PHISHING);
  await page.keyboard.press('Enter');
  await chooseAction(page, 'Copy for a ticket');
  await page.locator('.actions-said', { hasText: 'Copied' }).waitFor();
  const text = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(text).toMatch(/^Verdict: Do not open this link \(block, .*\)\nLink: hxxp:\/\/paypal-login\[\.\]/);
  expect(text).toMatch(/\nWhy:\n- .+\n- .+\n- .+\nChecked \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\nRequest: [\da-f-]{36}$/);
});

test('private mode stays selected in its tab, and in others only if that choice is remembered', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  const other = await page.context().newPage();
  const isPrivate = async () => {
    await other.goto(`${service.url}/`);
    return await other.getByRole('radio', { name: 'Private' }).isChecked();
  };
  await page.getByText('Private', { exact: true }).click();
  await page.reload();
  await expectShown(() => page.getByRole('radio', { name: 'Private' }).isChecked()).toBe(true);
  expect(await isPrivate()).toBe(false);
  await page.getByLabel('Remember this choice').check();
  expect(await isPrivate()).toBe(true);
  await page.getByLabel('Remember this choice').uncheck();
  expect(await isPrivate()).toBe(false);
});

test('the duration of many checks is shown before they start', async () => {
  await using directory = temporaryDirectory();
  await using limited = await startService(directory.path, ['--rate-limit', '2']);
  await using watched = await browser.open(`${limited.url}/`);
  const { page } = watched;
  await linkBox(page).fill(LINKS.slice(0, 2).join('\n'));
  await page.getByText('These links will be checked:').waitFor();
  expect(await page.locator('.forecast').textContent()).toBe('');
  await linkBox(page).fill([...LINKS, 'https://fifth.example/'].join('\n'));
  await page.getByText('At 2 checks a minute, this takes about 2 minutes.').waitFor();
});
