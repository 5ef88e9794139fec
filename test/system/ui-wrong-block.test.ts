import { afterAll, expect, test } from 'bun:test';
import { askIcap } from '#test/support/ask-icap.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startIcapService } from '#test/support/icap-service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { axeFaults } from './axe.ts';
import { createConsoleKey, isTrouble } from './console-key.ts';
import { expectShown } from './expect-shown.ts';
import { picture } from './picture.ts';
import { openBrowser } from './ui-browser.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const browser = opened.use(await openBrowser());

const SCHOOL = 'https://www.school.example/timetable';

const COUNTED = 'api/admin/checks?visibility=private';

test("an operator's day: why a site was held, a test of it, allowed and taken back, in three clicks or fewer each", async () => {
  await using directory = temporaryDirectory();
  const { path: dataDir } = directory;
  await lurecheck(['lists', 'add', 'feed', 'other.example', '--data-dir', dataDir]);
  await lurecheck(['lists', 'add', 'feed', 'school.example', '--data-dir', dataDir]);
  const key = await createConsoleKey(dataDir, 'desk');
  const { service: started, port } = await startIcapService(dataDir, ['--gate-mode', 'hold']);
  await using service = started;
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles, requests } = watched;
  const recorded = async () =>
    (await page.request.get(`${service.url}/${COUNTED}`)).json().then(({ items }) => items.length);

  // The field of the key has the focus, and the console's own code comes after the sign-in.
  await page.goto(`${service.url}/#/console`);
  await expectShown(() => page.evaluate('document.activeElement.type')).toBe('password');
  const before = requests.length;
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
  await page.locator('.live-state.is-on').waitFor();
  expect(requests.slice(before).some((one) => /assets\/part-/.test(one))).toBe(true);

  // Why was it held? It stands in the live view of Today: a click on its row.
  expect((await askIcap(port, SCHOOL)).httpStatus).toBe(403);
  const row = page.locator('.history-list li').first();
  await row.locator('summary').getByText('school.example', { exact: true }).waitFor();
  await row.locator('summary').click();
  await row.locator('.check-details').getByText('Decided by').waitFor();
  expect(await row.locator('.check-details').textContent()).toContain('feed: school.example · by hand');
  await picture(page, 'today');
  expect(await axeFaults(page)).toEqual([]);

  // What does the gate say about a link? Gate, the link, Enter; nothing is logged.
  await page.locator('.console-menu').getByRole('link', { name: 'Gate', exact: true }).click();
  await page.getByRole('textbox', { name: 'Link' }).fill(SCHOOL);
  await page.keyboard.press('Enter');
  const said = page.locator('.gate-says');
  await said.getByText('Held', { exact: true }).waitFor();
  expect(await said.textContent()).toContain('One of your lists blocks it.Decided byfeed: school.example');
  expect(await recorded()).toBe(1);
  await picture(page, 'gate');

  // Allow it: button, Apply; and back: Undo.
  await said.getByRole('button', { name: 'Allow this site: www.school.example' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.locator('.done').getByText('console-allow').waitFor();
  await expectShown(async () => (await askIcap(port, SCHOOL)).rule).toBe('list-allows');
  await picture(page, 'allowed');
  await page.getByRole('button', { name: 'Undo: www.school.example' }).click();
  await page.locator('.done').getByText('Undone').waitFor();
  await expectShown(async () => (await askIcap(port, SCHOOL)).rule).toBe('list-blocks');

  // From the host to its requests, which are rows of the history; from the row to the entry, with its hits, the same rows.
  await page.locator('.rows').getByRole('link', { name: 'www.school.example' }).click();
  await page.locator('.history-list summary').getByText('school.example', { exact: true }).waitFor();
  await page.locator('.history-list summary').click();
  await page.locator('.check-details').getByRole('link', { name: 'feed' }).click();
  await page.getByRole('button', { name: /^Hits in 30 days: [1-9]\d* \(school\.example\)$/ }).click();
  await expectShown(() => page.locator('.hit-rows .history-list li').count()).toBeGreaterThan(0);
  await picture(page, 'list-hits');
  expect(await axeFaults(page)).toEqual([]);

  // Remove the entry where it is found, and take that back: a click each, and Apply.
  await page.locator('.console-menu').getByRole('link', { name: 'Lists', exact: true }).click();
  await page.locator('#entries-of-all').fill(SCHOOL);
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
  await page.locator('#entries-feed').fill('example');
  await page.getByRole('button', { name: 'Remove all that were found' }).click();
  await page.getByText('Entries that go: 2').waitFor();
  await page.locator('#entries-feed').fill('school');
  await page.getByText('Entries that go: 2').waitFor({ state: 'detached' });

  // The header leads back to the console, and no longer after the sign-out.
  const toConsole = page.locator('.top').getByRole('link', { name: 'Console' });
  await page.locator('.to-check').click();
  await toConsole.click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  await page.locator('.brand').click();
  await expectShown(() => toConsole.isVisible()).toBe(false);
  expect(troubles.filter(isTrouble)).toEqual([]);
});
