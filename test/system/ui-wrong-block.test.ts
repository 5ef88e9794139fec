import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { axeFaults } from './axe.ts';
import { createConsoleKey, isTrouble, signInWith } from './console-key.ts';
import { expectShown } from './expect-shown.ts';
import { openBrowser } from './ui-browser.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const browser = opened.use(await openBrowser());

const SCHOOL = 'https://www.school.example/timetable';

/** Folder for pictures of what the operator sees; none by default. */
const PICTURES = process.env['LURECHECK_PICTURES'];

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

test('an operator sees in two clicks which list blocks a site, allows it in three, finds and removes the entry, and takes each back in one', async () => {
  await using directory = temporaryDirectory();
  const { path: dataDir } = directory;
  await lurecheck(['lists', 'add', 'feed', 'other.example', '--data-dir', dataDir]);
  await lurecheck(['lists', 'add', 'feed', 'school.example', '--data-dir', dataDir]);
  const key = await createConsoleKey(dataDir, 'desk');
  await using service = await startService(dataDir);
  expect((await service.result(SCHOOL)).decision).toBe('block');
  await using watched = await browser.open(`${service.url}/#/console`);
  const { page, troubles } = watched;
  await signInWith(page, key);

  // Why is it blocked? History, row.
  await page.locator('.console-menu').getByRole('link', { name: 'History', exact: true }).click();
  const row = page.locator('.history-list li').first();
  await row.locator('summary').getByText('school.example', { exact: true }).waitFor();
  expect(await row.locator('summary').textContent()).toContain('feed');
  await picture(page, 'history');
  await row.locator('summary').click();
  await row.locator('.check-details').getByText('Decided by').waitFor();
  expect(await row.locator('.check-details').textContent()).toContain('feed: school.example · by hand');
  await picture(page, 'history-row');
  expect(await axeFaults(page)).toEqual([]);

  // Allow it: button, Apply; and back: Undo.
  await row.getByRole('button', { name: 'Allow this site: www.school.example' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.locator('.done').getByText('console-allow').waitFor();
  await expectShown(async () => (await service.result(SCHOOL)).decision).toBe('allow');
  await picture(page, 'allowed');
  await page.getByRole('button', { name: 'Undo: www.school.example' }).click();
  await page.locator('.done').getByText('Undone').waitFor();
  await expectShown(async () => (await service.result(SCHOOL)).decision).toBe('block');

  // From the row to the entry, by a search for the link that was blocked: its hits, the same rows as in the history.
  await row.locator('.check-details').getByRole('link', { name: 'feed' }).click();
  await page.getByRole('button', { name: 'Hits in 30 days: 2 (school.example)' }).click();
  await expectShown(() => page.locator('.hit-rows .history-list li').count()).toBe(2);
  await picture(page, 'list-hits');
  expect(await axeFaults(page)).toEqual([]);

  // Remove the entry where it was found, and take that back: a click each, and Apply.
  await page.locator('.console-menu').getByRole('link', { name: 'Lists', exact: true }).click();
  await page.getByRole('searchbox').fill(SCHOOL);
  await page.getByRole('button', { name: 'Remove: school.example' }).click();
  await page.getByText('Entries that go: 1').waitFor();
  await picture(page, 'list-removal');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.locator('.done').getByText('Removed from the list feed: school.example.').waitFor();
  await page.getByText('No entry matches.').waitFor();
  await expectShown(async () => (await service.result(SCHOOL)).decision).toBe('allow');
  await page.getByRole('button', { name: 'Undo: school.example' }).click();
  await page.locator('.done').getByText('Undone').waitFor();
  await expectShown(async () => (await service.result(SCHOOL)).decision).toBe('block');

  // Several at once, by a part of their names.
  await page.locator('.console-main').getByRole('link', { name: 'feed' }).last().click();
  await page.getByRole('searchbox').fill('example');
  await page.getByRole('button', { name: 'Remove all that were found' }).click();
  await page.getByText('Entries that go: 2').waitFor();
  await page.getByRole('searchbox').fill('school');
  await page.getByText('Entries that go: 2').waitFor({ state: 'detached' });
  expect(troubles.filter(isTrouble)).toEqual([]);
});
