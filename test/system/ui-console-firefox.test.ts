import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { SCREEN_NAMES } from '#src/interfaces/ui/console/screen-route.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { createConsoleKey } from './console-key.ts';
import { openFirefox } from './firefox.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const directory = opened.use(temporaryDirectory());
const key = await createConsoleKey(directory.path, 'desk');
const service = opened.use(await startService(directory.path));
const firefox = opened.use(await openFirefox());
await service.result('http://paypal-login.verify-account-secure.cyou/signin');

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const FAULTS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')).join('; '))`;

const ENTER = '\ue007';
const SPACE = ' ';
const TAB = '\ue004';
const FIELD = 'document.querySelector("input[type=password]")';

const SCREENS = [
  [1280, 800],
  [390, 844],
] as const;

test.each(['de', 'ar'])(
  'in Firefox every screen of the console opens in %s, on a desktop and on a phone, without a fault',
  async (language) => {
    await firefox.open(`${service.url}/`);
    await firefox.evaluate(`void localStorage.setItem('lurecheck.language', '${language}')`);
    for (const [width, height] of SCREENS) {
      await firefox.resize(width, height);
      await firefox.open('about:blank');
      await firefox.open(`${service.url}/#/console`);
      await firefox.until(`${FIELD} || document.querySelector('.console h1')`);
      // The key is typed and sent with the keyboard alone.
      if (await firefox.evaluate(`${FIELD} !== null`)) {
        await firefox.evaluate(`${FIELD}.focus()`);
        await firefox.type(`${key}${ENTER}`);
      }
      for (const name of SCREEN_NAMES) {
        await firefox.evaluate(`void (location.hash = '#/console/${name}')`);
        const isThere = `document.querySelector('.console-menu [aria-current]')?.hash === '#/console/${name}'`;
        await firefox.until(
          `${isThere} && ![...document.querySelectorAll('.screen [role=status]')].some((one) => one.textContent.endsWith('…'))`,
        );
        await firefox.evaluate(`void (0, eval)(${JSON.stringify(AXE)})`).catch(() => null);
        expect([name, await firefox.evaluate(`document.documentElement.lang`)]).toEqual([name, language]);
        expect([name, await firefox.evaluate(`document.documentElement.scrollWidth <= innerWidth`)]).toEqual([
          name,
          true,
        ]);
        if (await firefox.evaluate(`typeof axe === 'object'`))
          expect([name, await firefox.evaluate(FAULTS)]).toEqual([name, '']);
      }
    }
    expect(firefox.troubles).toEqual([]);
  },
);

test('in Firefox the console is worked with the keyboard alone', async () => {
  await firefox.evaluate(`void localStorage.setItem('lurecheck.language', 'en')`);
  await firefox.open('about:blank');
  await firefox.open(`${service.url}/#/console/keys`);
  await firefox.until(`document.querySelector('.acts button')`);
  await firefox.evaluate(`document.querySelector('.console-menu a').focus()`);
  const reached = new Set<unknown>();
  for (let i = 0; i < 32; i++) {
    reached.add(
      await firefox.evaluate(
        `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent + document.activeElement.id`,
      ),
    );
    await firefox.type(TAB);
  }
  for (const expected of ['Audit log', 'Sign out', 'Change: desk', 'Revoke: desk', 'key-new.name', 'Create a key'])
    expect([...reached]).toContain(expected);
  await firefox.evaluate(`[...document.querySelectorAll('.acts button')].at(-1).focus()`);
  await firefox.type(SPACE);
  await firefox.until(`document.querySelector('dialog[open]')?.contains(document.activeElement)`);
  expect(await firefox.evaluate(`document.activeElement.textContent`)).toBe('Cancel');
  await firefox.type(SPACE);
  await firefox.until(`document.activeElement?.textContent === 'Revoke'`);
  expect(firefox.troubles).toEqual([]);
});
