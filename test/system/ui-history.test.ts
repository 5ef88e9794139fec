import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packDesk, THRESHOLDS } from '#test/support/pack-desk.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { expectShown } from './expect-shown.ts';
import { checkButton, linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin';
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
await service.result(`${PHISHING}?a=1`);
await service.result('https://www.debian.org/releases');
await service.result('https://river.example/Some/Path');

test('a search for a part of a host or path filters checks and counts, and the address contains the filter', async () => {
  await using watched = await browser.open(`${service.url}/#/history`);
  const { page, troubles } = watched;
  await page.getByText('3 checks shown').waitFor();
  await page.getByLabel('Part of host or path').fill('ver.example/some');
  await page.keyboard.press('Enter');
  await page.getByText('1 check shown').waitFor();
  expect(page.url()).toBe(`${service.url}/#/history?q=ver.example%2Fsome`);
  await expectShown(() => page.locator('.history-list').textContent()).toContain('river.example');
  await expectShown(() => page.locator('.counted').textContent()).toMatch(/^1 check · 1 Allow · from /);
  await page.reload();
  await page.getByText('1 check shown').waitFor();
  await expectShown(() => page.getByLabel('Part of host or path').inputValue()).toBe('ver.example/some');
  await page.goBack();
  await page.getByText('3 checks shown').waitFor();
  expect(await page.getByLabel('Part of host or path').inputValue()).toBe('');
  expect(troubles).toEqual([]);
});

test('a check in the history can be opened, copied and repeated', async () => {
  await using watched = await browser.open(`${service.url}/#/history?decision=block`, CLIPBOARD);
  const { page, troubles } = watched;
  await page.locator('.history-list summary').first().click();
  await page.getByRole('button', { name: 'Copy link, not clickable' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toStartWith('hxxp://paypal-login[.]verify');
  await page.getByRole('button', { name: 'Repeat the check' }).click();
  await page.locator('textarea:focus').waitFor();
  await expectShown(() => linkBox(page).inputValue()).toBe(`${PHISHING}?a=1`);
  expect(await resultSection(page).count()).toBe(0);
  expect(troubles).toEqual([]);
});

test('matching checks are exported as a table', async () => {
  await using watched = await browser.open(`${service.url}/#/history?domain=example`, { acceptDownloads: true });
  const { page } = watched;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const [head, ...rows] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(head).toBe('request_id,url,decision,malicious_probability,timestamp,coverage,caution');
  expect(rows.map((row) => row.split(',')[1])).toEqual(['https://river.example/Some/Path']);
});

test('the plots and names of the overview link to the checks that they count', async () => {
  await using watched = await browser.open(`${service.url}/#/overview`);
  const { page, troubles } = watched;
  await page.getByRole('link', { name: 'verify-account-secure.cyou' }).click();
  await page.getByText('1 check shown').waitFor();
  expect(page.url()).toContain('#/history?domain=verify-account-secure.cyou&decision=block');
  await page.goBack();
  await page.getByRole('link', { name: '.cyou', exact: true }).waitFor();
  await page.locator('.column.leads').last().click();
  await page.getByText('3 checks shown').waitFor();
  expect(troubles).toEqual([]);
});

test('a result shows earlier public checks of its site, and a private check sends no query for them', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, requests, troubles } = watched;
  const seen = resultSection(page).locator('.seen');
  await linkBox(page).fill('https://new.example/');
  await checkButton(page).click();
  await seen.filter({ hasText: 'No public check of new.example before this one.' }).waitFor();
  await linkBox(page).fill('https://www.debian.org/other');
  await checkButton(page).click();
  await seen.filter({ hasText: /^1 public check of debian\.org before this one, on / }).waitFor();
  await seen.getByRole('button').click();
  await page.getByText('2 checks shown').waitFor();
  await page.getByRole('link', { name: 'Check', exact: true }).click();
  const before = requests.length;
  await page.getByText('Private', { exact: true }).click();
  await linkBox(page).fill('https://www.debian.org/secret');
  await checkButton(page).click();
  await resultSection(page).filter({ hasText: 'kept in the private log' }).waitFor();
  expect(await seen.count()).toBe(0);
  expect(requests.slice(before).filter((request) => request.includes('/api/history'))).toEqual([]);
  expect(troubles).toEqual([]);
});

test('the About page describes the service', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await page.getByRole('link', { name: 'About' }).click();
  await page.getByText('The link alone will be judged; nothing is looked up.').waitFor();
  await expectShown(() => page.locator('.about dt').allTextContents()).toEqual([
    ...['Version', 'Model', 'What a check looks up', 'Limit', 'Lists', 'Retention', 'Licence'],
    'Licences of its parts',
  ]);
  expect(troubles).toEqual([]);
});

test('the About page lists the packs and marks one that is out of date, in the language of the reader', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, pack, keyFile, build, trust } = packDesk(directory.path);
  await trust(keyFile('acme'));
  await pack('install', await build({}, THRESHOLDS), '--yes');
  writeFileSync(join(dataDir, 'packs/clock.json'), '{"newest": "2100-06-01T00:00:00.000Z"}\n');
  await using box = await startService(dataDir);
  for (const [locale, words] of [
    ['en', 'acme · until Dec 31, 2099 · out of date'],
    ['de', 'acme · gültig bis 31.12.2099 · veraltet'],
  ] as const) {
    await using watched = await browser.open(`${box.url}/#/about`, { locale, timezoneId: 'UTC' });
    const { page, troubles } = watched;
    const item = page.locator('.about li', { hasText: 'acme-bank 1' });
    await item.waitFor();
    await expectShown(() => item.locator('.note').textContent()).toBe(words);
    expect(troubles).toEqual([]);
  }
});
