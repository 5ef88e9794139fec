import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { expectShown } from './expect-shown.ts';
import { checkButton, chooseAction, linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';
const LINKS = ['https://www.debian.org/', PHISHING, 'http://docs-update.example/', 'https://example.com/'];
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

test('a batch shows its counts, filters and sorts its results, and navigates between them', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await linkBox(page).fill([...LINKS, LINKS[0], PHISHING].join('\n'));
  await page.getByRole('button', { name: 'Check 4 links' }).click();
  const lines = page.locator('.batch > .batch-list > li');
  await page.locator('.batch-list button').nth(3).waitFor();
  await page.locator('h2:focus').waitFor();
  const figures = page.locator('.batch-filter button:visible');
  await expectShown(() => figures.allTextContents()).toEqual(['All 4', 'Block 1', 'Be wary 1', 'Link ordinary 2']);
  await expectShown(() => page.title()).toBe('1 Block, 1 Be wary, 2 Link ordinary – lurecheck');
  await page.getByLabel('Order').selectOption('worst');
  await expectShown(() => lines.first().textContent()).toContain('paypal-login');
  await figures.filter({ hasText: 'Link ordinary' }).click();
  await expectShown(() => lines.count()).toBe(2);
  await figures.filter({ hasText: 'All 4' }).click();
  await expectShown(() => lines.count()).toBe(4);
  await lines.first().getByRole('button').click();
  await expectShown(() => page.title()).toBe('Do not open this link – lurecheck');
  await expectShown(() => page.locator('.steps span').textContent()).toBe('1 of 4');
  await page.getByRole('button', { name: 'Next' }).click();
  await expectShown(() => resultSection(page).locator('h2').textContent()).toBe('No clear phishing, but be wary');
  await expectShown(() => page.locator('.line[aria-current]').textContent()).toContain('docs-update');
  await page.getByRole('button', { name: 'Previous' }).click();
  await expectShown(() => resultSection(page).getAttribute('data-decision')).toBe('block');
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
