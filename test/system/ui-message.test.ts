import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import encodeQR from 'qr';
import { attachment, htmlMail, LURE_HTML, LURE_URL } from '#test/engine/message/mails.ts';
import { compoundFile, properties } from '#test/engine/message/outlook-messages.ts';
import { page as pdfPage, stream } from '#test/engine/message/pdfs.ts';
import { expectShown } from './expect-shown.ts';
import { picture } from './picture.ts';
import { checkButton, linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser, dataDir } = await openStage();

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const SAYS = 'Says www.paypal.com, but goes to paypal-login.verify-account.cyou';

/** Puts rich text, or a picture, on the clipboard of the browser, and pastes it where the cursor is. */
async function paste(page: Page, parts: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(`(async () => {
    const bytes = (base64) => Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
    const parts = ${JSON.stringify(parts)};
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(
      Object.entries(parts).map(([type, base64]) => [type, new Blob([bytes(base64)], { type })])))]);
  })()`);
  await page.keyboard.press('Control+V');
}

/** A mail that names no sender, whose domain would be checked as well. */
const unsigned = (mail: string) => mail.replace(/^From: .*\r?\n/m, '');

const base64 = (text: string) => new TextEncoder().encode(text).toBase64();

/**
 * Drops files on the page, as the system does. They are dropped on another element than the one that they were dragged
 * over, as by a hand that lets go while it moves: the browser then sends no `dragover` between `dragenter` and `drop`.
 */
async function drop(page: Page, ...files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop', y: number) =>
    session.send('Input.dispatchDragEvent', { type, x: 300, y, data });
  await drag('dragEnter', 10);
  await drag('dragOver', 10);
  await drag('drop', 500);
}

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(dataDir, name);
  writeFileSync(path, content);
  return path;
}

/** What is dropped stands in the box once it is read. */
async function boxHolds(page: Page, text: string): Promise<void> {
  for (let step = 0; step < 2000 && (await linkBox(page).inputValue()) !== text; step++);
  await expectShown(() => linkBox(page).inputValue()).toBe(text);
}

const codeOf = (text: string) => encodeQR(text, 'gif', { scale: 4 });

test('a pasted mail with the text paypal.com and another target gets the verdict block', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page, troubles } = watched;
  await paste(page, {
    'text/html': base64(LURE_HTML),
    'text/plain': base64('please confirm: https://www.paypal.com/signin'),
  });
  await page.keyboard.press('Enter');
  const result = resultSection(page);
  await result.waitFor();
  await expectShown(() => linkBox(page).inputValue()).toBe(LURE_URL);
  await expectShown(() => page.locator('#reading .mismatch').textContent()).toBe(SAYS);
  await expectShown(() => result.getAttribute('data-decision')).toBe('block');
  await expectShown(() => result.locator('.verdict .mismatch').textContent()).toContain(
    'The message says www.paypal.com',
  );
  expect(troubles).toEqual([]);
});

const BLACKMAIL =
  'I have recorded you with your webcam. Send 950 USD in Bitcoin to bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh within two days, or I send the video to all your contacts.';

test('a pasted message without a link, or without a head, is assessed as a whole unless its reader forbids it', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page, troubles } = watched;
  const title = page.locator('#mail-title');
  /** Opens the page anew: the verdict on one message must not pass for that on the next. */
  const reopen = async () => {
    await page.goto('about:blank');
    await page.goto(`${service.url}/`);
  };
  await paste(page, { 'text/plain': base64(BLACKMAIL) });
  await page.getByLabel('Send only its links').check();
  await checkButton(page).click();
  await page.getByText('No web address found in').waitFor();
  await page.getByLabel('Send only its links').uncheck();
  await checkButton(page).click();
  await expectShown(() => title.textContent()).toBe('Be careful with this message');
  await reopen();
  await paste(page, {
    'text/html': base64(`<p>${BLACKMAIL}</p><p><a href="https://example.com/">More about this</a></p>`),
    'text/plain': base64(`${BLACKMAIL} More about this`),
  });
  await expectShown(() => linkBox(page).inputValue()).toBe('https://example.com/');
  await checkButton(page).click();
  await expectShown(() => title.textContent()).toBe('Be careful with this message');
  // Some keyboards insert a text without pasting it, and a pasted one can be changed.
  await reopen();
  await linkBox(page).focus();
  await page.keyboard.insertText(BLACKMAIL);
  await page.keyboard.type(' Hurry.');
  await page.keyboard.press('Enter');
  await expectShown(() => title.textContent()).toBe('Be careful with this message');
  // Of two messages, neither is sent.
  await reopen();
  const choice = page.getByLabel('Send only its links');
  await paste(page, { 'text/plain': base64(`${BLACKMAIL} https://a.example.org/`) });
  await choice.waitFor();
  await paste(page, { 'text/plain': base64(`${BLACKMAIL} https://b.example.org/`) });
  await expectShown(() => linkBox(page).inputValue()).toBe('https://a.example.org/\nhttps://b.example.org/');
  await expectShown(() => choice.count()).toBe(0);
  expect(troubles).toEqual([]);
});

test('the links of a mail are shown with their texts, and nothing of the mail is loaded', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page, troubles } = watched;
  const rich = `${LURE_HTML}<img src="http://tracker.example/a.gif"><a href="https://evil.example/x">Confirm now</a>`;
  await paste(page, { 'text/html': base64(rich), 'text/plain': base64('https://www.paypal.com/signin Confirm now') });
  await page.getByText('behind “Confirm now”').waitFor();
  await expectShown(() => page.locator('#reading li .mono').allTextContents()).toEqual([
    LURE_URL,
    'https://evil.example/x',
  ]);
  await page.getByRole('button', { name: 'Check 2 links' }).click();
  await page.locator('.batch-list button').nth(1).waitFor();
  await expectShown(() => page.locator('.batch-list .mismatch').allTextContents()).toEqual([SAYS]);
  expect(troubles).toEqual([]);
});

test.each([
  ['mail.eml', unsigned(htmlMail(LURE_HTML, 'Please confirm your account.'))],
  ['outlook.msg', compoundFile(properties({ '10130102': LURE_HTML }))],
  ['saved.html', `<!doctype html><script>document.title = 'opened'</script>${LURE_HTML}`],
])('%s is read if it is dropped on any view, and never opened', async (name, content) => {
  await using watched = await browser.open(`${service.url}/#/history`);
  const { page, troubles } = watched;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await drop(page, fileOf(name, content));
  await page.locator('#reading .mismatch', { hasText: SAYS }).waitFor();
  await expectShown(() => linkBox(page).inputValue()).toBe(LURE_URL);
  expect(page.url()).toBe(`${service.url}/#/`);
  expect(page.context().pages().length).toBe(1);
  await checkButton(page).click();
  await resultSection(page).waitFor();
  await expectShown(() => resultSection(page).getAttribute('data-decision')).toBe('block');
  expect(troubles).toEqual([]);
});

test('a code is read from a pasted or dropped picture, and from a mail', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page, troubles } = watched;
  await drop(page, fileOf('code.gif', codeOf('https://evil.example/from-code')));
  await boxHolds(page, 'https://evil.example/from-code');
  const mail = htmlMail('<p>Scan the code</p>', 'Scan', [
    attachment('image/gif', 'a.gif', codeOf('evil.example/in-mail')),
  ]);
  await drop(page, fileOf('code.eml', unsigned(mail)));
  await boxHolds(page, 'http://evil.example/in-mail');
  const drawn = encodeQR('https://evil.example/drawn', 'raw').flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `${90 + 3 * x} ${700 - 3 * y} 3 3 re f` : [])),
  );
  const text = 'BT /F1 12 Tf 72 750 Td (Pay at https://evil.example/in-text today) Tj ET';
  await drop(page, fileOf('bill.pdf', pdfPage(stream(`${text} ${drawn.join(' ')}`), '/Font << /F1 << >> >>')));
  await boxHolds(page, 'https://evil.example/in-text\nhttps://evil.example/drawn');
  await expectShown(() => page.locator('#reading .complaint').count()).toBe(0);
  await picture(page, 'pdf-code');
  // The clipboard takes pictures as PNG alone: the browser makes one of the code.
  await page.evaluate(`(async () => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(${JSON.stringify([...codeOf('https://evil.example/pasted')])})]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    const png = await canvas.convertToBlob({ type: 'image/png' });
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  })()`);
  await linkBox(page).fill('');
  await page.keyboard.press('Control+V');
  await boxHolds(page, 'https://evil.example/pasted');
  expect(troubles).toEqual([]);
});

test('an unreadable file is reported, and never treated as harmless', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  const said = page.locator('#reading .complaint');
  await drop(page, fileOf('mail.msg', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0])));
  await said.filter({ hasText: 'mail.msg cannot be looked into here.' }).waitFor();
  await drop(page, fileOf('plain.txt', 'nothing here'));
  await said.filter({ hasText: 'plain.txt holds no web address.' }).waitFor();
  await drop(page, fileOf('code.gif', codeOf('just words')));
  await said.filter({ hasText: 'The QR code in code.gif holds no web address. It says: just words' }).waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles(fileOf('list.csv', 'id,link\n1,https://a.example/x\n2,b.example'));
  await page.getByRole('button', { name: 'Check 2 links' }).waitFor();
  await expectShown(() => linkBox(page).inputValue()).toBe('https://a.example/x\nhttp://b.example');
});

test('a link that is pasted after another one is separate, and after a check replaces it', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page } = watched;
  await page.keyboard.insertText('https://first.example/');
  await page.evaluate('navigator.clipboard.writeText("https://second.example/b")');
  await page.keyboard.press('Control+V');
  await expectShown(() => linkBox(page).inputValue()).toBe('https://first.example/\nhttps://second.example/b');
  await linkBox(page).fill('https://first.example/');
  await checkButton(page).click();
  await resultSection(page).waitFor();
  await linkBox(page).click();
  // Its content is selected once the browser has put the cursor there.
  await page.evaluate('new Promise((done) => setTimeout(done))');
  await page.keyboard.press('Control+V');
  await expectShown(() => linkBox(page).inputValue()).toBe('https://second.example/b');
});

test('the page takes less than 235 kB compressed with the reader of messages, without that of codes', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  let bytes = 0;
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    if (!/^\/($|assets\/)/.test(pathname)) return;
    const answer = await fetch(response.url(), { headers: { 'accept-encoding': 'gzip' }, decompress: false });
    bytes += (await answer.bytes()).byteLength;
  });
  await page.reload();
  await linkBox(page).waitFor();
  await drop(page, fileOf('mail.eml', htmlMail(LURE_HTML, 'x')));
  await page.locator('#reading .mismatch').waitFor();
  // What is opened later is not loaded yet.
  expect(bytes).toBeGreaterThan(40_000);
  // The reader of messages is two thirds of it: it has the readers of pages, scripts and PDF, and the public suffixes.
  expect(bytes).toBeLessThan(235_000);
});

test('an allowed link with a reason for phishing is not called harmless', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await linkBox(page).fill('http://docs-update.example/\nhttps://www.debian.org/');
  await checkButton(page).click();
  const lines = page.locator('.batch-list button');
  await lines.nth(1).waitFor();
  await expectShown(() => lines.locator('.chip').allTextContents()).toEqual(['Be wary', 'Ordinary link']);
  await lines.first().click();
  const verdict = resultSection(page).locator('.verdict');
  await expectShown(() => verdict.locator('h2').textContent()).toBe('No clear phishing, but be wary');
  await expectShown(() => verdict.getAttribute('class')).toBe('verdict caution');
  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('.history-list .chip.caution').first().waitFor();
  expect(troubles).toEqual([]);
});

test('data that is dropped before the language is loaded is read', async () => {
  await using watched = await browser.open('about:blank', { locale: 'de' });
  const { page } = watched;
  const language = Promise.withResolvers<void>();
  await page.route('**/assets/part-*.js', async (route) => {
    await language.promise;
    await route.continue();
  });
  await page.goto(`${service.url}/`);
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'https://early.example/');
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);
  language.resolve();
  await linkBox(page).waitFor();
  await boxHolds(page, 'https://early.example/');
});
