import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ODD_ANSWERS } from '#test/network/egress/odd-answers.ts';
import { type ScriptServer, serveScript } from '#test/network/egress/script-server.ts';
import { holdsPassword, isAskedInChromium, visit } from './asked-for-password.ts';
import { runInNamespace } from './namespace.ts';
import { openBrowser, type TestBrowser } from './ui-browser.ts';

/**
 * Longer than what is read of a page: Chromium shows the form, and the page probe says that it did not see the page
 * whole, which is evidence of its own.
 */
const LONGER_THAN_READ = /behind 2\.5 MiB/;

let server: ScriptServer;
let browser: TestBrowser;

beforeAll(async () => {
  server = await serveScript((path) => ODD_ANSWERS[Number(path.slice(1))]?.bytes ?? Buffer.from('HTTP/1.1 404 No\n\n'));
  browser = await openBrowser();
});

afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

describe('a form that Chromium shows is read, too:', () => {
  for (const [index, { name }] of ODD_ANSWERS.entries()) {
    test(name, async () => {
      const url = `http://127.0.0.1:${server.port}/${index}`;
      if (!(await isAskedInChromium(browser, url))) return;
      const seen = await visit(url);
      if (LONGER_THAN_READ.test(name)) expect(seen).toMatchObject({ truncated: true });
      else expect(holdsPassword(seen) || seen).toBe(true);
    });
  }
});

test('a page without a status line is read only at port 80, as in Chromium', async () => {
  expect(await runInNamespace('body-alone-inside.ts')).toEqual({
    80: { chromium: true, probe: true },
    8080: { chromium: false, probe: false },
  });
});
