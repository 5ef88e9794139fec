import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { sampleResult, streamOf } from '#test/interfaces/ui/sample-result.ts';
import { axeFaults } from './axe.ts';
import { expectShown } from './expect-shown.ts';
import { chooseAction, linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const WIDE = { viewport: { width: 1280, height: 800 } };
const EVIL = 'http://paypal-login.verify-account.cyou/signin';

/** Shows the sample result, which has everything that a result can have. */
async function showSample(page: Page): Promise<void> {
  await page.route('**/api/check-url/stream', (route) => route.fulfill(streamOf(sampleResult())));
  await checkLink(page, 'https://example.com/');
}

async function checkLink(page: Page, link: string): Promise<void> {
  await linkBox(page).fill(link);
  await page.keyboard.press('Enter');
  await resultSection(page).waitFor();
}

const clipboardOf = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

test('a result has three buttons, the last of which opens a menu that can be used with the keyboard', async () => {
  await using watched = await browser.open(`${service.url}/`, { ...WIDE, ...CLIPBOARD });
  const { page, troubles } = watched;
  await checkLink(page, EVIL);
  const actions = page.locator('.actions');
  await expectShown(() => actions.locator(':scope > button, .menu-button').allTextContents()).toEqual([
    'Copy link to this result',
    'Repeat the check',
    'More',
  ]);
  const more = page.getByRole('button', { name: 'More', exact: true });
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu', { name: 'More' }).waitFor();
  expect(await more.getAttribute('aria-expanded')).toBe('true');
  const focused = page.locator('[role=menuitem]:focus');
  await expectShown(() => focused.textContent()).toBe('Copy link, not clickable');
  expect(await axeFaults(page)).toEqual([]);
  for (const [key, item] of [
    ['ArrowDown', 'Copy for a ticket'],
    ['End', 'Print everything'],
    ['ArrowDown', 'Copy link, not clickable'],
    ['ArrowUp', 'Print everything'],
    ['Home', 'Copy link, not clickable'],
  ] as const) {
    await page.keyboard.press(key);
    await expectShown(() => focused.textContent()).toBe(item);
  }
  await page.keyboard.press('Escape');
  await expectShown(() => page.locator('.menu-button:focus').count()).toBe(1);
  await expectShown(() => page.getByRole('menu').count()).toBe(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expectShown(() => page.getByRole('menu').count()).toBe(0);
  expect(troubles).toEqual([]);
});

test('a result is copied as Markdown', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page } = watched;
  await checkLink(page, EVIL);
  await chooseAction(page, 'Copy as Markdown');
  await page.locator('.actions-said', { hasText: 'Copied' }).waitFor();
  const text = await clipboardOf(page);
  expect(text).toStartWith('**Do not open this link \\(block, ');
  expect(text).toContain('- Link\\: `hxxp://paypal-login[.]verify-account[.]cyou/signin`');
});

test('a result is printed on one page, or completely on request', async () => {
  await using watched = await browser.open(`${service.url}/`, WIDE);
  const { page } = watched;
  const pages = async () => (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Count (\d+)/)?.[1];
  await showSample(page);
  expect(await pages()).toBe('1');
  // Paper in a browser without a printer: what stands on it while the dialog is open.
  await page.evaluate(`window.print = () => {
    const shown = (name) => getComputedStyle(document.querySelector(name)).display !== 'none';
    window.printed = [document.documentElement.className, document.querySelector('.analysts').open, shown('.actions')];
  }`);
  await chooseAction(page, 'Print everything');
  // The details for analysts are loaded first.
  await expectShown(() => page.evaluate<unknown[]>('window.printed')).toEqual(['print-all', true, true]);
  expect(await page.evaluate<string>('document.documentElement.className')).toBe('');
  await page.evaluate(`document.documentElement.classList.add('print-all');
    document.querySelector('.analysts').open = true`);
  expect(Number(await pages())).toBeGreaterThan(2);
});

test('Back leads from a result to the input field, and Forward to the result', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  await checkLink(page, EVIL);
  await expectShown(() => page.locator('h2:focus').count()).toBe(1);
  await checkLink(page, 'https://www.debian.org/');
  await page.locator('.checked-url', { hasText: 'debian.org' }).waitFor();
  await expectShown(() => page.locator('h2:focus').count()).toBe(1);
  await page.goBack();
  await page.locator('textarea:focus').waitFor();
  expect(page.url()).toBe(`${service.url}/`);
  await expectShown(() => linkBox(page).isVisible()).toBe(true);
  await page.goForward();
  await expectShown(() => resultSection(page).count()).toBe(1);
});

test('a link to a batch contains its links and their texts, and no verdict', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page, troubles } = watched;
  const mail = `<a href="${EVIL}">https://www.paypal.com/signin</a> <a href="https://www.debian.org/">Debian</a>
    <a href="javascript:x()">Open</a>`;
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData('text/html', ${JSON.stringify(mail)});
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);
  await page.locator('#reading .mismatch').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.batch-list button').nth(2).waitFor();
  await page.getByRole('button', { name: 'Copy link to this batch' }).click();
  await page.locator('.batch .actions-said', { hasText: 'not the verdicts' }).waitFor();
  const link = await clipboardOf(page);
  expect(link).toMatch(/#batch=[\w-]+$/);
  await using other = await browser.open(link);
  await other.page.locator('#reading .mismatch').waitFor();
  await expectShown(async () => (await linkBox(other.page).inputValue()).split('\n').toSorted()).toEqual(
    [EVIL, 'https://www.debian.org/'].toSorted(),
  );
  expect(await other.page.locator('.found-target').count()).toBe(1);
  expect(await resultSection(other.page).count()).toBe(0);
  expect(other.page.url()).toBe(`${service.url}/#/`);
  expect(other.requests.filter((one) => one.includes('check-url'))).toEqual([]);
  await using broken = await browser.open(`${service.url}/#batch=abc`);
  await broken.page.getByText('This link to a batch is incomplete.').waitFor();
  expect([...troubles, ...other.troubles, ...broken.troubles]).toEqual([]);
});

test('a long URL is shown completely in the details', async () => {
  await using watched = await browser.open(`${service.url}/`, WIDE);
  const { page } = watched;
  const link = `${EVIL}?${Array.from({ length: 90 }, (_, i) => `parameter${i}=${'x'.repeat(60)}`).join('&')}&last=1`;
  await checkLink(page, link);
  await expectShown(() => page.locator('.anatomy .wide dd').first().textContent()).toBe(link);
  await expectShown(() => page.locator('.anatomy').textContent()).toContain('last=1');
  const box = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(box).toBe(1280);
});

test('at 1280 pixels no card of a result leaves half of the page empty', async () => {
  await using watched = await browser.open(`${service.url}/`, WIDE);
  const { page } = watched;
  await showSample(page);
  await page.getByText('Details for analysts').click();
  await page.locator('.dns').waitFor();
  const { top, sides, width } = await page.evaluate<{ top: number[]; sides: number[]; width: number }>(`(() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    return {
      width: box('.result').width,
      top: [box('.verdict').width, box('.certainty').width],
      sides: [...document.querySelectorAll('.panels > div')].map((side) => side.lastElementChild.getBoundingClientRect().bottom - side.getBoundingClientRect().top),
    };
  })()`);
  expect((top[0] ?? 0) + (top[1] ?? 0)).toBeGreaterThan(0.95 * width);
  expect(Math.min(...sides)).toBeGreaterThan(Math.max(...sides) / 2);
});

test('a day has one label on its axis, and the axis of answer times ends at the longest one', async () => {
  await using watched = await browser.open(`${service.url}/`, WIDE);
  const { page } = watched;
  const day = { start: '2026-11-22T00:00:00.000Z', allow: 2, warn: 0, block: 1 };
  const counts = {
    checks: { allow: 2, warn: 0, block: 1 },
    first_at: day.start,
    last_at: day.start,
    days: [day],
    counted_back_to: null,
  };
  await page.route('**/api/history/summary?*', (route) => route.fulfill({ json: counts }));
  await page.goto(`${service.url}/#/history?domain=a.example`);
  await expectShown(() => page.locator('.x-axis span').allTextContents()).toEqual(['Nov 22']);
  for (const [last, label] of [
    [3, '8.2 sec'],
    [16, '130 sec'],
  ] as const) {
    await page.route('**/api/stats', async (route) => {
      const stats = await (await route.fetch()).json();
      stats.answer_seconds.histogram.forEach((bucket: { checks: number }, i: number) => {
        bucket.checks = i === last ? 1 : 0;
      });
      await route.fulfill({ json: stats });
    });
    await page.goto(`${service.url}/#/about`);
    await page.goto(`${service.url}/#/overview`);
    await expectShown(() => page.locator('.x-axis').last().locator('span').last().textContent()).toBe(label);
  }
});

test('no line of Japanese text starts with a small kana or a full stop', async () => {
  await using watched = await browser.open(`${service.url}/`, { locale: 'ja', viewport: { width: 390, height: 844 } });
  const { page } = watched;
  await checkLink(page, EVIL);
  const begins = await page.evaluate<string[]>(`(() => {
    const firsts = [];
    for (const element of document.querySelectorAll('h1, h2, .lead, .advice, .meaning, .reasons span, .visit')) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      let bottom = null;
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (let i = 0; i < node.length; i++) {
          const range = new Range();
          range.setStart(node, i);
          range.setEnd(node, i + 1);
          const box = range.getBoundingClientRect();
          if (box.width > 0 && bottom !== null && box.top > bottom) firsts.push(node.data[i]);
          if (box.width > 0) bottom = box.bottom - 2;
        }
      }
    }
    return firsts;
  })()`);
  expect(begins.length).toBeGreaterThan(3);
  expect(begins.filter((first) => /[ぁぃぅぇぉっゃゅょァィゥェォッャュョー。、）」]/.test(first))).toEqual([]);
});
