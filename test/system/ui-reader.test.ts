import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { LURE_HTML, LURE_URL } from '#test/engine/message/mails.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { expectShown } from './expect-shown.ts';
import { linkBox } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser, dataDir } = await openStage();

function fileOf(name: string, content: string): string {
  const path = join(dataDir, name);
  writeFileSync(path, content);
  return path;
}

/** Drops a text, with its markup or as the file that a person chooses, and counts the turns of the page until it is read. */
async function turnsWhileReading(page: Page, type: string, text: string): Promise<unknown> {
  return await page.evaluate(`(async () => {
    const data = new DataTransfer();
    const [type, text] = [${JSON.stringify(type)}, ${JSON.stringify(text)}];
    if (type === 'text/html') data.setData(type, text);
    else data.items.add(new File([text], 'hostile.txt', { type }));
    let turns = 0;
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    for (; !globalThis.isRead; turns++) await new Promise((resolve) => setTimeout(resolve));
    return turns;
  })()`);
}

/** Notes when a worker answers, and how many there were. */
const WATCHED = `
  globalThis.workers = [];
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(address) {
      super(address);
      workers.push(String(address));
      this.addEventListener('message', () => { globalThis.isRead = true; });
    }
  };`;

const LINES = `${'[a](http://'.padEnd(8000, 'x')}\n`.repeat(120);

test.each([
  ['a file of a megabyte of broken links', 'text/plain', LINES],
  ['a megabyte of nested markup', 'text/html', `<a href=http://a.example/>${'<b><a>'.repeat(170_000)}`],
])('the page stays responsive while it reads %s', async (_, type, text) => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles, requests } = watched;
  await page.addInitScript(WATCHED);
  await page.reload();
  await linkBox(page).waitFor();
  expect(requests.filter((address) => address.includes('reader-'))).toEqual([]);
  // Without a worker there is one turn: the one in which all is read.
  expect(await turnsWhileReading(page, type, text)).toBeGreaterThan(20);
  expect(await page.evaluate('workers.length')).toBe(1);
  expect(troubles).toEqual([]);
});

test.each([
  ['what is not read within the budget', 'send.call(this, { ...order, budgetMs: 0 })'],
  ['what a reader that had to be ended has not read', ''],
])('the page reports that a part of a message was not read: %s', async (_, post) => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await page.clock.install();
  await page.addInitScript(`
    const send = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (order) {
      globalThis.isAsked = true;
      ${post};
    };`);
  await page.reload();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(fileOf('long.html', LURE_HTML.repeat(50)));
  // The page's policy forbids what waitForFunction evaluates there.
  await expectShown(() => page.evaluate('globalThis.isAsked')).toBe(true);
  await page.clock.runFor(60_000);
  await page.getByText('A part of the message was not read, so links may be missing.').first().waitFor();
  expect(troubles).toEqual([]);
});

test('messages are read below a base path, too', async () => {
  await using directory = temporaryDirectory();
  await using below = await startService(directory.path, ['--base-path', '/deep/down']);
  await using watched = await browser.open(`${below.url}/deep/down/`);
  const { page, troubles } = watched;
  await page.locator('input[type=file]').first().setInputFiles(fileOf('mail.html', LURE_HTML));
  await expectShown(() => linkBox(page).inputValue()).toBe(LURE_URL);
  expect(troubles).toEqual([]);
});
