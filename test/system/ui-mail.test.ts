import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { attachment, htmlMail, LURE_URL } from '#test/engine/message/mails.ts';
import { expectShown } from './expect-shown.ts';
import { picture } from './picture.ts';
import { checkButton, linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser, dataDir } = await openStage();

const HEADERS = [
  'Return-Path: <bounce@mailer.example>',
  'Authentication-Results: mx.corp.example; spf=pass smtp.mailfrom=mailer.example; dmarc=fail header.from=paypal.example',
  'Received: from mailer.example by mx.corp.example',
  'Authentication-Results: mx.corp.example; dkim=pass header.d=paypal.com; dmarc=pass header.from=paypal.com',
  'Reply-To: <help@collect.example>',
  'Date: Mon, 23 Nov 2026 03:00:00 +0100',
];

const LURE = `<p>Dear customer. Please <a href="${LURE_URL}">https://www.paypal.com/signin</a> until Friday.</p>`;
const decoys = (count: number) =>
  Array.from({ length: count }, (_, at) => `<a href="https://www.wikipedia.org/wiki/${at}">more</a>`).join(' ');

const mailOf = (markup: string, files: readonly string[] = []) =>
  [...HEADERS, htmlMail(markup, 'x', files)].join('\r\n');

/** Gives the page a mail as a file, and checks it once its reader has chosen. */
async function check(page: Page, mail: string, choose = async () => {}): Promise<void> {
  const path = join(dataDir, 'given.eml');
  writeFileSync(path, mail);
  await page.locator('input[type=file]').setInputFiles(path);
  await page.locator('#reading li').first().waitFor();
  await choose();
  await checkButton(page).click();
  await page.locator('.mail').waitFor();
}

/** Returns the paths to which the page posts from now on. */
function postsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && paths.push(new URL(request.url()).pathname));
  return paths;
}

/** What stands beside a label of the mail. */
async function factOf(page: Page, label: string): Promise<string | null> {
  const fact = page.locator('.mail .facts > div').filter({ has: page.locator('dt', { hasText: label }) });
  return await fact.locator('dd').textContent();
}

test('a mail is shown with one verdict, its headers, and its links by site within their sentences', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  const sent = postsOf(page);
  const files = [
    attachment('application/zip', 'invoice.zip', new Uint8Array(70)),
    attachment('application/octet-stream', 'bill.pdf.lnk', Uint8Array.from([0, 1])),
    attachment('application/octet-stream', 'disk.iso', Uint8Array.from([0, 1])),
    attachment('application/pdf', 'terms.pdf', new TextEncoder().encode('%PDF-1.7 /Encrypt')),
  ];
  await check(page, mailOf(`${decoys(12)}${LURE}`, files));
  await page.locator('.mail[data-kind="block"]').waitFor();
  const mail = page.locator('.mail');
  await expectShown(() => mail.locator('h2').textContent()).toBe('Do not trust this message');
  await expectShown(() => mail.locator('.why').textContent()).toContain('Phishing in 1 of 14 links');
  expect(await mail.locator('.reasons .for').allTextContents()).toContainEqual(
    expect.stringContaining('The link to paypal-login.verify-account.cyou is suspicious.'),
  );
  await expectShown(() => page.locator('[role=status]').allTextContents()).toContain(
    'The check is done: Do not trust this message',
  );
  // Five links of each site are checked with it; the others and the domain of its sender by themselves.
  expect(sent).toEqual(['/api/check-message', ...Array(8).fill('/api/check-url/stream')]);
  expect(await factOf(page, 'Subject')).toBe('Your account');
  expect(await factOf(page, 'From')).toBe('PayPal service@paypal.example');
  expect(await factOf(page, 'Reply-To')).toBe('help@collect.exampleanother site than that of the sender');
  expect(await factOf(page, 'Return-Path')).toBe('bounce@mailer.exampleanother site than that of the sender');
  const authentication = await factOf(page, 'Authentication');
  expect(authentication).toStartWith('SPF pass mailer.exampleDKIM not statedDMARC fail paypal.example');
  expect(authentication).toEndWith(
    'As mx.corp.example states it. The statement is part of the message and may be forged.',
  );
  const attached = await factOf(page, 'Attachments');
  expect(attached).toStartWith('invoice.zipapplication/zip · 0.1 kB');
  expect(attached).toMatch(/bill\.pdf\.lnk.*like that of a document.*disk\.iso.*disk.*terms\.pdf.*Not checked/is);
  await picture(page, 'mail-attachments');
  // The worst site comes first, and the decoys are folded away.
  // While checks run, links are grouped by host.
  await page.locator('.progress').waitFor({ state: 'hidden' });
  await expectShown(() => mail.locator('.pending').count()).toBe(0);
  const groups = mail.locator('.mail-group');
  await expectShown(() => groups.locator('h3').allTextContents()).toEqual(['verify-account.cyou', 'paypal.example']);
  await expectShown(() => groups.locator('.in-sentence').allTextContents()).toEqual([
    'Please https://www.paypal.com/signin until Friday.',
    'service@paypal.example',
  ]);
  await mail.getByText('Links without findings').click();
  await groups.nth(2).waitFor();
  await expectShown(() => groups.locator('h3').allTextContents()).toEqual([
    'verify-account.cyou',
    'paypal.example',
    'wikipedia.org',
  ]);
  await mail.getByRole('button', { name: LURE_URL }).first().click();
  await resultSection(page).waitFor();
  await expectShown(() => resultSection(page).getAttribute('data-decision')).toBe('block');
  expect(troubles).toEqual([]);
});

test('a mail of which only the links are sent is not called harmless with an unread part', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  const pdf = attachment('application/pdf', 'terms.pdf', new Uint8Array(70));
  const sent = postsOf(page);
  const mail = mailOf(decoys(2), [pdf]).replaceAll('paypal.example', 'www.wikipedia.org');
  await check(page, mail, () => page.getByLabel('Send only its links').check());
  await page.locator('.mail button.line').nth(1).waitFor();
  await expectShown(() => page.locator('.mail').getAttribute('data-kind')).toBe('unchecked');
  await expectShown(() => page.locator('.mail h2').textContent()).toBe('Not all links of this message are checked');
  await expectShown(() => page.locator('.results .complaint').textContent()).toContain('terms.pdf');
  expect([...new Set(sent)]).toEqual(['/api/check-url/stream']);
});

test('the mail is not shown for a check of a single link from it', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  await check(page, mailOf(`${LURE}${decoys(1)}`));
  await linkBox(page).fill(LURE_URL);
  await checkButton(page).click();
  await resultSection(page).waitFor();
  expect(await page.locator('.mail').count()).toBe(0);
});

test('text of a sender is displayed as text, also in a right-to-left language', async () => {
  await using watched = await browser.open(`${service.url}/`, { locale: 'ar', viewport: { width: 390, height: 780 } });
  const { page, troubles } = watched;
  const hostile = '<img src=x onerror=alert(1)>\u202egpj.exe';
  const mail = mailOf(`<p>${hostile.replaceAll('<', '&lt;')} <a href="${LURE_URL}">x</a></p>`)
    .replace('"PayPal"', `"${hostile.slice(0, 28)}"`)
    .replace('=?utf-8?B?WW91ciBhY2NvdW50?=', hostile);
  const path = join(dataDir, 'hostile.eml');
  writeFileSync(path, mail);
  await page.locator('input[type=file]').setInputFiles(path);
  await page.locator('#reading li').first().waitFor();
  await page.locator('button.primary').click();
  await page.locator('.mail[data-kind="block"]').waitFor();
  await expectShown(() => page.locator('.mail').textContent()).toContain('<img src=x onerror=alert(1)>');
  expect(await page.locator('.mail').textContent()).not.toContain('\u202e');
  expect(await page.locator('.mail img').count()).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(troubles).toEqual([]);
});
