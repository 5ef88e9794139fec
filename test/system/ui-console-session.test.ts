import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { axeFaults } from './axe.ts';
import { createConsoleKey, isTrouble, signInWith } from './console-key.ts';
import { expectShown } from './expect-shown.ts';
import { openBrowser } from './ui-browser.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const browser = opened.use(await openBrowser());

const keyField = (page: Page) => page.getByLabel('API key');

test('a new service shows how to create the first key, accepts it, and the browser stores no key', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles, requests } = watched;
  await page.getByRole('link', { name: 'Console' }).click();
  await page.getByText('lurecheck key create NAME --scope admin').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const key = await createConsoleKey(directory.path, 'first');
  await keyField(page).fill('lck_wrong');
  await page.keyboard.press('Enter');
  await page.getByText('This key is unknown, expired or revoked.').waitFor();
  expect(await keyField(page).inputValue()).toBe('');
  await untilSeen(
    'the key',
    async () => (await fetch(`${service.url}/api/session`, { headers: { authorization: `Bearer ${key}` } })).ok,
  );
  await signInWith(page, key);
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  expect(await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])')).toBe(
    '[{},{},""]',
  );
  expect(await page.content()).not.toContain(key);
  expect(requests.filter((one) => one.includes(key))).toEqual([]);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await page.goto(`${service.url}/#/console/keys`);
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await keyField(page).waitFor();
  expect(await page.getByText('lurecheck key create').count()).toBe(0);
  expect(await page.evaluate<number>('fetch("api/session").then(({ status }) => status)')).toBe(401);
  expect(page.url()).toBe(`${service.url}/#/console/keys`);
  expect(troubles.filter(isTrouble)).toEqual([]);
});

test('a session that ends during input requests a key, and the input is retained', async () => {
  await using directory = temporaryDirectory();
  const [first, second] = [
    await createConsoleKey(directory.path, 'first'),
    await createConsoleKey(directory.path, 'second'),
  ];
  await using service = await startService(directory.path);
  await using watched = await browser.open(`${service.url}/#/console/lists`);
  const { page, troubles } = watched;
  await signInWith(page, first);
  await page.getByRole('textbox', { name: 'Content' }).fill('evil.example\n');
  await page.getByLabel('Name').fill('typed-list');
  await lurecheck(['key', 'revoke', 'first', '--data-dir', directory.path]);
  await untilSeen(
    'the revocation',
    async () =>
      (await fetch(`${service.url}/api/session`, { headers: { authorization: `Bearer ${first}` } })).status === 401,
  );
  await page.getByRole('button', { name: 'Show the effect' }).last().click();
  await page.getByText('The session has ended.').waitFor();
  expect(page.url()).toBe(`${service.url}/#/console/lists`);
  expect(await axeFaults(page)).toEqual([]);
  await signInWith(page, second);
  await expectShown(() => page.getByLabel('Name').inputValue()).toBe('typed-list');
  expect(await page.getByRole('textbox', { name: 'Content' }).inputValue()).toBe('evil.example\n');
  // A reload of the screen has read the key that is gone; nothing else went wrong.
  expect(troubles.filter(isTrouble)).toEqual([]);
});

test('a page of another port of this host can neither frame the console nor change anything by its session', async () => {
  await using directory = temporaryDirectory();
  const key = await createConsoleKey(directory.path, 'desk');
  await using service = await startService(directory.path);
  await using watched = await browser.open(`${service.url}/#/console/keys`);
  const { page } = watched;
  await signInWith(page, key);
  // The cookie is of the host, and reaches the service from here, too.
  using attacker = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        `<!doctype html><iframe src="${service.url}/#/console/keys"></iframe>
        <form method="post" action="${service.url}/api/admin/keys" enctype="text/plain"><input name='{"name":"mine","scopes":["admin"],"x":"' value='"}'></form>`,
        { headers: { 'content-type': 'text/html' } },
      ),
  });
  await page.goto(`http://127.0.0.1:${attacker.port}/`);
  await expectShown(async () => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  const send = (path: string, init: object) =>
    page.evaluate<string>(
      `fetch('${service.url}/api/${path}', ${JSON.stringify({ credentials: 'include', ...init })}).then(() => 'answered', () => 'refused')`,
    );
  const body = '{"name":"mine","scopes":["admin"]}';
  expect(await send('admin/keys', { method: 'POST', mode: 'no-cors', body })).toBe('refused');
  expect(await send('admin/keys', {})).toBe('refused');
  expect(await send('session', { method: 'DELETE' })).toBe('refused');
  await page.evaluate(`document.forms[0].submit()`);
  await page.getByText('cross_site').waitFor();
  await page.goto(`${service.url}/#/console/keys`);
  await page.getByRole('button', { name: 'Revoke: desk' }).waitFor();
  expect(await page.locator('tbody .acts').count()).toBe(1);
});

test('without TLS, a browser on another host shows why it cannot sign in', async () => {
  await using directory = temporaryDirectory();
  const key = await createConsoleKey(directory.path, 'first');
  await using service = await startService(directory.path, ['--trusted-proxy', '127.0.0.0/8']);
  const extraHTTPHeaders = { 'x-forwarded-for': '198.51.100.7' };
  await using watched = await browser.open(`${service.url}/#/console`, { extraHTTPHeaders });
  const { page } = watched;
  await keyField(page).fill(key);
  await page.keyboard.press('Enter');
  await page.getByText('The console does not accept keys over an unencrypted connection.').waitFor();
  expect(await keyField(page).inputValue()).toBe('');
  expect(await page.getByText('lurecheck key create').count()).toBe(0);
});

test('a key with few scopes opens the screens of its scopes, and no other', async () => {
  await using directory = temporaryDirectory();
  const key = await createConsoleKey(directory.path, 'queue', 'feedback');
  await using service = await startService(directory.path);
  await using watched = await browser.open(`${service.url}/#/console`, {});
  const { page } = watched;
  await signInWith(page, key);
  await expectShown(() => page.locator('.console-menu a').allTextContents()).toEqual(['Today', 'Feedback']);
  await page.goto(`${service.url}/#/console/keys`);
  await page.getByText('The key you signed in with may not do this.').waitFor();
  expect(await page.locator('.console form').count()).toBe(0);
});
