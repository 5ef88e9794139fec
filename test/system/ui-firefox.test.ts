import { afterAll, expect, test } from 'bun:test';
import { LURE_HTML, LURE_URL } from '#test/engine/message/mails.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openFirefox } from './firefox.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const directory = opened.use(temporaryDirectory());
const service = opened.use(await startService(directory.path));
const firefox = opened.use(await openFirefox());

const ENTER = '\ue007';
const ESCAPE = '\ue00c';
const ARROW_DOWN = '\ue015';
const RESULT = 'document.querySelector("section[data-decision]")';

test('in Firefox a link is typed, checked, and found in the history', async () => {
  await firefox.open(`${service.url}/`);
  await firefox.until('document.activeElement?.localName === "textarea"');
  await firefox.type(`hxxp://paypal-login[.]verify-account-secure[.]cyou/signin${ENTER}`);
  await firefox.until(RESULT);
  expect(await firefox.evaluate(`${RESULT}.dataset.decision`)).toBe('block');
  expect(await firefox.evaluate('document.title')).toBe('Do not open this link – lurecheck');
  expect(await firefox.evaluate(`${RESULT}.querySelectorAll('.reasons li').length`)).toBe(3);
  await firefox.evaluate('document.querySelector(".menu-button").focus()');
  await firefox.type(ARROW_DOWN);
  await firefox.until('document.activeElement?.textContent === "Copy link, not clickable"');
  await firefox.type(ARROW_DOWN);
  await firefox.until('document.activeElement?.textContent === "Copy for a ticket"');
  await firefox.type(ESCAPE);
  await firefox.until('document.activeElement?.className === "menu-button"');
  await firefox.evaluate('history.back()');
  await firefox.until('document.activeElement?.localName === "textarea"');
  await firefox.evaluate('void (location.hash = "#/history?q=verify-account")');
  await firefox.until('document.querySelectorAll(".history-list li").length === 1');
  expect(firefox.troubles).toEqual([]);
});

test('in Firefox a mail with the text paypal.com and another target gets the verdict block', async () => {
  await firefox.open('about:blank');
  await firefox.open(`${service.url}/`);
  await firefox.until('document.activeElement?.localName === "textarea"');
  await firefox.evaluate(`{
    const data = new DataTransfer();
    data.setData('text/html', ${JSON.stringify(LURE_HTML)});
    data.setData('text/plain', 'please confirm: https://www.paypal.com/signin');
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    null;
  }`);
  await firefox.until('document.querySelector("#reading .mismatch")');
  expect(await firefox.evaluate('document.querySelector("textarea").value')).toBe(LURE_URL);
  await firefox.type(ENTER);
  await firefox.until(RESULT);
  expect(await firefox.evaluate(`${RESULT}.dataset.decision`)).toBe('block');
  expect(await firefox.evaluate(`${RESULT}.querySelector('.mismatch').textContent`)).toContain('www.paypal.com');
  expect(firefox.troubles).toEqual([]);
});
