import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import encodeQR from 'qr';
import { attachment, htmlMail } from '#test/engine/message/mails.ts';
import { expectShown } from './expect-shown.ts';
import { linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser, dataDir } = await openStage();
const SHOWN = 'https://www.paypal.com/signin';
const EVIL = 'http://paypal-login.verify-account.cyou/signin';

/** Drops rich text, or files, somewhere on the page, as its own scripts see it. */
async function drop(
  page: Page,
  html: string,
  files: readonly (readonly [name: string, type: string, base64: string])[] = [],
) {
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    if (${JSON.stringify(html)}) data.setData('text/html', ${JSON.stringify(html)});
    data.setData('text/plain', ${JSON.stringify(SHOWN)});
    for (const [name, type, base64] of ${JSON.stringify(files)})
      data.items.add(new File([Uint8Array.from(atob(base64), (it) => it.charCodeAt(0))], name, { type }));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);
}

/** What was sent to be checked. */
const checkedIn = (requests: readonly string[]) => requests.filter((one) => one.includes('/api/check-url'));

async function csvOf(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const path = join(dataDir, 'batch.csv');
  await download.saveAs(path);
  return readFileSync(path, 'utf8');
}

test.each([
  [`<a href="javascript:location=next()">${SHOWN}</a>`, `A script behind “${SHOWN}”`],
  [`<a href="data:text/html,hello">${SHOWN}</a>`, `A page hidden in the link itself, behind “${SHOWN}”`],
  [`<a href="intent://x#Intent;scheme=http;end">${SHOWN}</a>`, `A link behind “${SHOWN}” that opens an app or a file`],
  [`<a href="../next">${SHOWN}</a>`, `An incomplete address behind “${SHOWN}”`],
  [`<div onclick="go()">${SHOWN}</div>`, `A script behind “${SHOWN}”`],
])('%s is shown as a finding, and its link text is not checked instead', async (html, words) => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles, requests } = watched;
  await drop(page, html);
  await page.locator('#reading .found-target', { hasText: words }).waitFor();
  expect(await linkBox(page).inputValue()).toBe('');
  await page.keyboard.press('Enter');
  const result = page.locator('section[data-caution=true]');
  await result.waitFor();
  await expectShown(() => result.locator('.verdict').getAttribute('class')).toBe('verdict warn');
  await expectShown(() => result.textContent()).toContain(words);
  await expectShown(() => page.title()).toBe('Not a web address: be careful – lurecheck');
  expect(checkedIn(requests)).toEqual([]);
  expect(troubles).toEqual([]);
});

test('a finding beside links is counted in the summary, the title and the table', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  await drop(page, `<a href="https://www.debian.org/">Debian</a> <a href="javascript:x()">${SHOWN}</a>`);
  await page.locator('#reading .found-target').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.batch-list button').nth(1).waitFor();
  await expectShown(() => page.title()).toBe('1 Warn, 1 Ordinary link – lurecheck');
  await expectShown(() => page.locator('.batch-list .chip').allTextContents()).toEqual(['Warn', 'Ordinary link']);
  const [head = '', first = ''] = (await csvOf(page)).split('\r\n');
  expect(head).toEndWith('state,coverage,caution,mismatch');
  expect(first).toContain(`A script behind “${SHOWN}”`);
  expect(first).toContain(',warn,');
  await page.locator('.batch-list button').first().click();
  await expectShown(() => page.locator('.result .verdict').textContent()).toContain('not sent to the service');
});

test('the origin of a saved page and the target of its form are checked and shown', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, requests } = watched;
  const saved = `<!-- saved from url=(0048)${EVIL} --><form action="post.php"><input type=password></form><a href="https://www.paypal.com/help">Help</a>`;
  await drop(page, saved);
  await page.getByText('The page says that it was saved from here').waitFor();
  await expectShown(() => linkBox(page).inputValue()).toBe(
    `${EVIL}\nhttp://paypal-login.verify-account.cyou/post.php\nhttps://www.paypal.com/help`,
  );
  await page.keyboard.press('Enter');
  await page.locator('.batch-list button').nth(2).waitFor();
  await expectShown(() => page.title()).toBe('2 Block, 1 Ordinary link – lurecheck');
  await expectShown(() => page.locator('.batch-list').textContent()).toContain(
    'A form sends what is typed in to this address',
  );
  expect(checkedIn(requests).length).toBe(3);
});

const qr = (text: string) => encodeQR(text, 'gif', { scale: 4 }).toBase64();

/** A PNG with several codes side by side, drawn by the browser. */
async function pictureOf(page: Page, texts: readonly string[]): Promise<string> {
  return await page.evaluate<string>(`(async () => {
    const bytes = (base64) => Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
    const bitmaps = await Promise.all(${JSON.stringify(texts.map(qr))}.map((one) => createImageBitmap(new Blob([bytes(one)]))));
    const canvas = new OffscreenCanvas(bitmaps.reduce((sum, { width }) => sum + width + 20, 20), bitmaps[0].height + 40);
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    let x = 20;
    for (const one of bitmaps) { context.drawImage(one, x, 20); x += one.width + 20; }
    const png = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return btoa(Array.from(png, (byte) => String.fromCharCode(byte)).join(''));
  })()`);
}

const CODES = ['https://www.debian.org/a', 'https://evil.example/b', 'https://c.example/'];

test('all codes of a picture are read, as a file, within markup or in a mail', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  const png = await pictureOf(page, CODES);
  const ways: readonly (readonly [string, Parameters<typeof drop>[2], readonly string[]])[] = [
    ['', [['codes.png', 'image/png', png]], CODES],
    [`<p>Scan</p><img src="data:image/png;base64,${png}">`, [], CODES],
    ['<a href="https://d.example/">x</a>', [['codes.png', 'image/png', png]], ['https://d.example/', ...CODES]],
    [
      '',
      [['mail.eml', 'message/rfc822', btoa(htmlMail(`<img src="data:image/png;base64,${png}">`, 'x'))]],
      // With the sender.
      [...CODES, 'https://paypal.example/'],
    ],
  ];
  for (const [html, files, links] of ways) {
    await page.reload();
    await linkBox(page).waitFor();
    await drop(page, html, files);
    await page.getByRole('button', { name: `Check ${links.length} links` }).waitFor();
    expect((await linkBox(page).inputValue()).split('\n').toSorted()).toEqual(links.toSorted());
  }
  expect(troubles).toEqual([]);
});

test('unread parts are named at the verdict, and counted as not checked', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  const pdf = attachment('application/pdf', 'invoice.pdf', new TextEncoder().encode('%PDF-1.7'));
  const mail = htmlMail('<a href="https://www.debian.org/">Debian</a>', '', [pdf]);
  await drop(page, '', [['mail.eml', 'message/rfc822', btoa(mail)]]);
  await page.locator('#reading', { hasText: 'invoice.pdf was not read whole' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.mail h3').first().waitFor();
  const said = page.locator('.results .complaint');
  await expectShown(() => said.count()).toBe(1);
  await expectShown(() => said.textContent()).toContain('invoice.pdf was not read whole');
  await expectShown(() => page.title()).toMatch(/, 1 Not checked – lurecheck$/);
});

test('characters that reverse a link are reported at its verdict, which calls for caution', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  await linkBox(page).fill('https://www.debian.org/\u202egnp.exe');
  await page.keyboard.press('Enter');
  await resultSection(page).waitFor();
  await expectShown(() => resultSection(page).getAttribute('data-caution')).toBe('true');
  await expectShown(() => resultSection(page).textContent()).toContain(
    'characters that reverse the direction of reading',
  );
});
