import { afterAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { BRANDS, packDesk } from '#test/support/pack-desk.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { createConsoleKey, isTrouble, signInWith } from './console-key.ts';
import { expectShown } from './expect-shown.ts';
import { openBrowser } from './ui-browser.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const browser = opened.use(await openBrowser());

const PARTNER = 'https://www.partner.example/portal';
const MISSED = 'https://www.example.org/parcel';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

async function goTo(page: Page, screen: string): Promise<void> {
  await page.locator('.console-menu').getByRole('link', { name: screen, exact: true }).click();
  await heading(page, screen);
}

const focused = (page: Page, what: string) => page.evaluate<string>(`document.activeElement.${what}`);

/** Waits for the preview of a change, which has the focus, and makes it by the keyboard; the focus is not lost. */
async function apply(page: Page): Promise<void> {
  await page.locator('.preview h3:focus').waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page, 'textContent')).toBe('Apply');
  await page.keyboard.press('Enter');
  await page.locator('.preview').waitFor({ state: 'detached' });
  await page.locator('.done:not(:empty)').waitFor();
  await expectShown(() => focused(page, 'localName')).toMatch(/^(?!body)/);
}

test("an operator's week: first key, a list with a mistake and its rollback, feedback, pack, backup, revocation", async () => {
  await using directory = temporaryDirectory();
  const { dataDir, keyFile, build, trust } = packDesk(directory.path);
  await trust(keyFile('acme'));
  const pack = await build({}, BRANDS);
  const backups = join(directory.path, 'backups');
  mkdirSync(backups);
  await using service = await startService(dataDir, ['--backup-dir', backups]);
  const statusOf = async (secret: string) =>
    (await fetch(`${service.url}/api/session`, { headers: { authorization: `Bearer ${secret}` } })).status;
  const { request_id } = await service.result(MISSED);
  await service.result(PARTNER);
  const report = { request_id, verdict: 'malicious', comment: 'It asked for my PIN.' };
  const json = { 'content-type': 'application/json' };
  await fetch(`${service.url}/api/feedback`, { method: 'POST', headers: json, body: JSON.stringify(report) });
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await page.getByRole('link', { name: 'Console' }).click();
  await page.getByText('lurecheck key create NAME --scope admin').waitFor();
  const key = await createConsoleKey(dataDir, 'desk');
  await untilSeen('the first key', async () => (await statusOf(key)) === 200);
  await signInWith(page, key);
  await heading(page, 'Today');
  await page.locator('.steps summary').click();
  await page.getByText('Decide who may see the history').waitFor();

  // Monday: a list with an unreadable line, and one that blocks a partner.
  await goTo(page, 'Lists');
  const importForm = page.locator('form', { has: page.locator('textarea') });
  await page.getByLabel('Name').fill('monday');
  await page.getByRole('textbox', { name: 'Content' }).fill('evil.example\nnot a host at all\npartner.example\n');
  await importForm.getByRole('button', { name: 'Show the effect' }).click();
  await page.getByText('Nothing can be imported with these lines.').waitFor();
  expect(await page.getByRole('button', { name: 'Apply' }).count()).toBe(0);
  await page.getByLabel('Skip lines that cannot be read').check();
  await importForm.getByRole('button', { name: 'Show the effect' }).click();
  await page.locator('.preview').getByText(PARTNER).waitFor();
  expect(await page.locator('.preview').textContent()).toContain('not a host at all');
  await apply(page);
  await heading(page, 'monday');
  await expectShown(() => page.locator('.rows').first().locator('tbody tr').count()).toBe(2);
  await expectShown(async () => (await service.result(PARTNER)).decision).toBe('block');
  await page.getByRole('button', { name: 'Remove: partner.example' }).click();
  await apply(page);
  await expectShown(async () => (await service.result(PARTNER)).decision).toBe('allow');
  await page.getByRole('button', { name: 'Roll back' }).click();
  await apply(page);
  await expectShown(() => page.locator('.rows').first().locator('tbody tr').count()).toBe(2);
  await page.getByRole('button', { name: 'Remove this list' }).click();
  await apply(page);
  await page.getByText('There is no list monday now.').waitFor();
  await expectShown(async () => (await service.result(PARTNER)).decision).toBe('allow');

  // Tuesday: a report is accepted by the keyboard alone.
  await goTo(page, 'Feedback');
  await page.getByText('It asked for my PIN.').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await apply(page);
  await page.getByText('Nothing is waiting.').waitFor();
  await expectShown(async () => (await service.result(MISSED)).decision).toBe('block');
  // On second thought, it is taken back and accepted again.
  await page.locator('.done').getByRole('link', { name: 'Accepted' }).click();
  await press(page, 'Take back');
  await page.getByText('Nothing was accepted yet.').waitFor();
  await expectShown(async () => (await service.result(MISSED)).decision).toBe('allow');
  await page.locator('.done').getByRole('link', { name: 'Waiting' }).click();
  await press(page, 'Accept …');
  await press(page, 'Show the effect');
  await apply(page);
  await expectShown(async () => (await service.result(MISSED)).decision).toBe('block');
  await goTo(page, 'History');
  await page.locator('.history-list summary', { hasText: 'partner.example' }).first().click();
  await page.getByRole('button', { name: 'Block this site: www.partner.example' }).click();
  await apply(page);
  await expectShown(async () => (await service.result(PARTNER)).decision).toBe('block');
  await page.locator('.done').getByRole('link', { name: 'console-block' }).click();
  await page.getByRole('button', { name: 'Remove: www.partner.example' }).click();
  await apply(page);
  await expectShown(async () => (await service.result(PARTNER)).decision).toBe('allow');

  // Wednesday: a pack of a trusted publisher is installed, a backup is made and downloaded.
  await goTo(page, 'Models and packs');
  await page.locator('[id="pack-new.pack"]').setInputFiles(pack);
  await press(page, 'Show the effect');
  await apply(page);
  await page.getByRole('cell', { name: 'acme-bank' }).waitFor();
  await goTo(page, 'Backups');
  await press(page, 'Create a backup now');
  await page.getByText('The backup was created.').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Download/ }).click();
  expect((await download).suggestedFilename()).toEndWith('.backup');

  // Thursday: a key for a program, which is shown once.
  await goTo(page, 'Keys');
  await page.getByLabel('Name').fill('proxy');
  await press(page, 'Create a key');
  const secret = (await page.locator('.secret code').textContent()) ?? '';
  await untilSeen('the key', async () => (await statusOf(secret)) === 200);
  await press(page, 'I have stored it');
  await page.getByRole('button', { name: 'Revoke: proxy' }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: 'Revoke: proxy' }).click();
  await page.getByText('Revoke the key proxy?').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await statusOf(secret)).toBe(200);
  await page.getByRole('button', { name: 'Revoke: proxy' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The key proxy is revoked.').waitFor();
  await untilSeen('the revocation', async () => (await statusOf(secret)) === 401);

  // Friday: everything is in the audit log, with the key and the address; the own key is revoked, and the session ends.
  await goTo(page, 'Audit log');
  await expectShown(() => page.locator('.rows').textContent()).toContain('Key revoked');
  const rows = (await page.locator('.rows').textContent()) ?? '';
  for (const said of ['List imported', 'Backup created', 'Key created', 'desk', '127.0.0.1'])
    expect(rows).toContain(said);
  await goTo(page, 'Keys');
  await page.getByRole('button', { name: 'Revoke: desk' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByLabel('API key').waitFor();
  expect(troubles.filter(isTrouble)).toEqual([]);
});

test('a brand is added and removed once its trial is shown, and both are noted', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  const key = await createConsoleKey(directory.path, 'desk');
  await using watched = await browser.open(`${service.url}/#/console/brands`);
  const { page, troubles } = watched;
  await signInWith(page, key);
  await heading(page, 'Brands');
  await page.locator('[id="brand-new.domains"]').fill('nordwerk.example');
  await press(page, 'Try synthetic attacks');
  await page.locator('.preview h3:focus').waitFor();
  await press(page, 'Add a brand');
  await page.locator('.done:not(:empty)').waitFor();
  const row = page.getByRole('cell', { name: 'nordwerk.example', exact: true });
  await row.waitFor();
  expect(await page.locator('[id="brand-new.domains"]').inputValue()).toBe('');
  await press(page, 'Remove: nordwerk');
  await page.locator('.preview h3:focus').waitFor();
  await press(page, 'Cancel');
  await page.locator('.preview').waitFor({ state: 'detached' });
  expect(await focused(page, 'textContent')).toBe('Remove');
  await press(page, 'Remove: nordwerk');
  await page.locator('.preview').getByRole('button', { name: 'Remove', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  expect(troubles.filter(isTrouble)).toEqual([]);
});
