import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { lurecheck } from '#test/support/executable.ts';
import { SCREEN_NAMES } from '#test/support/screen-names.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { createConsoleKey } from './console-key.ts';
import { screenIsThere } from './console-screen.ts';
import { expectShown } from './expect-shown.ts';
import { openFirefox } from './firefox.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const directory = opened.use(temporaryDirectory());
const key = await createConsoleKey(directory.path, 'desk');
const service = opened.use(await startService(directory.path));
const firefox = opened.use(await openFirefox());
await service.result('http://paypal-login.verify-account-secure.cyou/signin');

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Colours are the same in every browser, and those of the samples are tested in Chromium. */
const OPTIONS = `{ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } }`;
const FAULTS = `axe.run(document, ${OPTIONS}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')).join('; '))`;

const ENTER = '\ue007';
const SPACE = ' ';
const TAB = '\ue004';
const PAGE = 'document.documentElement';
const FIELD = 'document.querySelector("input[type=password]")';

/** Opens a screen in a new document, in a language. */
async function openScreen(name: string, language: string): Promise<void> {
  await firefox.open(`${service.url}/help`);
  await firefox.evaluate(`void localStorage.setItem('lurecheck.language', '${language}')`);
  await firefox.open(`${service.url}/#/console/${name}`);
  await firefox.until(`${FIELD} || (${screenIsThere(name)})`);
}

test('in Firefox a key is typed, and opens the screen of the address', async () => {
  await openScreen('keys', 'en');
  await firefox.evaluate(`${FIELD}.focus()`);
  await firefox.type(`${key}${ENTER}`);
  await firefox.until(screenIsThere('keys'));
  expect(await firefox.evaluate(`document.activeElement.textContent`)).toBe('Keys');
});

test.each(['de', 'ar'])(
  'in Firefox every screen of the console opens in %s, on a desktop and on a phone, without an error',
  async (language) => {
    await openScreen('audit', language);
    await firefox.evaluate(`${AXE}; null`);
    for (const name of SCREEN_NAMES) {
      await firefox.evaluate(`void (location.hash = '#/console/${name}')`);
      await firefox.until(screenIsThere(name));
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ] as const) {
        await firefox.resize(width, height);
        const isWhole = await firefox.evaluate(`${PAGE}.scrollWidth <= ${PAGE}.clientWidth`);
        const shown = await firefox.evaluate(`${PAGE}.lang`);
        expect([name, width, shown, isWhole, await firefox.evaluate(FAULTS)]).toEqual([
          name,
          width,
          language,
          true,
          '',
        ]);
      }
    }
    expect(firefox.troubles).toEqual([]);
  },
);

test('in Firefox the console can be used with the keyboard alone', async () => {
  await firefox.resize(1280, 800);
  await openScreen('keys', 'en');
  await firefox.evaluate(`document.querySelector('.console-menu a').focus()`);
  const focused = `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent + document.activeElement.id`;
  const reached = new Set<unknown>();
  // Beyond the last one the focus would leave the page.
  for (let i = 0; i < 48 && !reached.has('Create a key'); i++) {
    reached.add(await firefox.evaluate(focused));
    await firefox.type(TAB);
  }
  for (const expected of ['Audit log', 'Sign out', 'Change: desk', 'Revoke: desk', 'key-new.name', 'Create a key'])
    expect([...reached]).toContain(expected);
  await firefox.evaluate(`document.querySelector('[aria-label="Revoke: desk"]').focus()`);
  await firefox.type(SPACE);
  await firefox.until(`document.querySelector('dialog[open]')?.contains(document.activeElement)`);
  expect(await firefox.evaluate(`document.activeElement.textContent`)).toBe('Cancel');
  await firefox.type(SPACE);
  await firefox.until(`document.activeElement?.textContent === 'Revoke'`);
  expect(firefox.troubles).toEqual([]);
});

test('in Firefox a page that comes back after its session was revoked shows nothing of the console', async () => {
  await openScreen('keys', 'en');
  // The browser decides which pages it puts aside: what it does with the page is done here, too.
  const put = (type: string) =>
    firefox.evaluate(`void dispatchEvent(new PageTransitionEvent('${type}', { persisted: true }))`);
  await put('pagehide');
  expect(await firefox.evaluate(`document.querySelector('.console') === null`)).toBe(true);
  await put('pageshow');
  await firefox.until(screenIsThere('keys'));
  await firefox.open(`${service.url}/help`);
  await lurecheck(['key', 'revoke', 'desk', '--data-dir', directory.path]);
  await expectShown(() => firefox.evaluate(`fetch('api/session').then(({ status }) => status)`)).toBe(401);
  await firefox.back();
  await expectShown(() => firefox.evaluate('location.hash')).toBe('#/console/keys');
  await firefox.until(`${FIELD} || document.querySelector('.console')`);
  expect(await firefox.evaluate(`document.querySelector('.console') === null`)).toBe(true);
});
