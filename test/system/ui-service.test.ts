import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { PAGE_POLICY } from '#src/service/server/page/page-routes.ts';
import { sampleResult, streamOf } from '#test/interfaces/ui/sample-result.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { expectShown } from './expect-shown.ts';
import { checkButton, chooseAction, linkBox, openBrowser, resultSection } from './ui-browser.ts';

const browser = await openBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** A service of its own settings, with an empty log. */
async function serviceWith(...args: string[]) {
  const directory = temporaryDirectory();
  const service = await startService(directory.path, args);
  return {
    url: service.url,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test('the page has its policy and is revalidated, and its files are cached as immutable', async () => {
  await using service = await serviceWith();
  const page = await fetch(`${service.url}/`);
  expect(page.headers.get('content-security-policy')).toBe(PAGE_POLICY);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  const file = await fetch(`${service.url}/${script}`);
  expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('below a base path the page works unchanged', async () => {
  await using service = await serviceWith('--base-path', '/tools/phish');
  await using watched = await browser.open(`${service.url}/tools/phish`);
  const { page, troubles, requests } = watched;
  await linkBox(page).fill('https://example.com/');
  await checkButton(page).click();
  await resultSection(page).waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('1 check shown').waitFor();
  await page.getByRole('link', { name: 'API' }).click();
  await page.waitForURL('**/tools/phish/swagger**');
  expect(requests.filter((request) => !request.includes(`${service.url}/tools/phish`))).toEqual([]);
  expect(troubles.filter((trouble) => !/swagger/i.test(trouble))).toEqual([]);
});

test('a link in the fragment fills the input field, is not sent, and is removed from the address', async () => {
  await using service = await serviceWith();
  const link = 'https://fragment.example/?a=1&b=2#c';
  await using watched = await browser.open(`${service.url}/#url=${encodeURIComponent(link)}`);
  const { page, requests } = watched;
  await expectShown(() => linkBox(page).inputValue()).toBe(link);
  expect(page.url()).toBe(`${service.url}/#/`);
  expect(requests.filter((request) => request.includes('fragment.example'))).toEqual([]);
  expect(await page.evaluate<string>('document.title + JSON.stringify(history.state)')).not.toContain('fragment');
});

test('a password in a URL is neither in the result nor in the saved report', async () => {
  await using service = await serviceWith();
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await linkBox(page).fill('https://jane:zqhunter1@example.com/?pw=zqhunter2#kennwort=zqhunter3');
  await checkButton(page).click();
  const result = resultSection(page);
  await result.waitFor();
  const saving = page.waitForEvent('download');
  await chooseAction(page, 'Save report');
  const report = readFileSync(await (await saving).path(), 'utf8');
  for (const shown of [await result.innerHTML(), report]) {
    expect(shown).toContain('https://jane:***@example.com/?pw=***');
    expect(shown).not.toContain('zqhunter');
  }
  expect(troubles).toEqual([]);
});

test('at the limit the page shows the remaining seconds, and the check continues automatically or is stopped', async () => {
  await using service = await serviceWith('--rate-limit', '1');
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await linkBox(page).fill('https://a.example/\nhttps://b.example/');
  await checkButton(page).click();
  await page.getByText(/Continuing automatically in \d+ seconds?\./).waitFor();
  await page.locator('.batch-list button').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Stopped – not checked').waitFor();
  await expectShown(() => checkButton(page).isEnabled()).toBe(true);
  expect(troubles).toEqual([]);
});

test('a busy service is retried after the time in Retry-After', async () => {
  await using service = await serviceWith();
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  let asked = 0;
  await page.route('**/api/check-url/stream', (route) => {
    asked++;
    const problem = { status: 503, detail: 'busy' };
    return asked > 1
      ? route.fallback()
      : route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: problem });
  });
  await linkBox(page).fill('https://example.com/');
  await checkButton(page).click();
  await page.getByText('The service is busy.').waitFor();
  await resultSection(page).waitFor();
  expect(asked).toBe(2);
});

test.each([
  [400, 'The service cannot read this link.'],
  [403, 'The service refuses requests that come from other pages.'],
  [500, 'Something went wrong.'],
  [418, 'Something went wrong.'],
])('a response with status %d is reported in plain words', async (status, words) => {
  await using service = await serviceWith();
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  await page.route('**/api/check-url/stream', (route) => route.fulfill({ status, body: 'not JSON' }));
  await linkBox(page).fill('https://example.com/');
  await checkButton(page).click();
  await page.getByRole('alert').filter({ hasText: words }).waitFor();
  expect(await resultSection(page).count()).toBe(0);
  await expectShown(() => checkButton(page).isEnabled()).toBe(true);
});

test('an unreachable service is reported in plain words', async () => {
  await using service = await serviceWith();
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  await page.route('**/api/check-url/stream', (route) => route.abort());
  await linkBox(page).fill('https://example.com/');
  await checkButton(page).click();
  await page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).waitFor();
});

test('the stages of a check are shown with their times while it runs', async () => {
  await using service = await serviceWith();
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  const stages = ['dns', 'page'].map((stage) => ({ stage, state: 'finished', elapsed_seconds: 0.21 }));
  const events = stages.map((stage) => `event: stage\ndata: ${JSON.stringify(stage)}\n\n`).join('');
  const gate = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        (async function* () {
          yield new TextEncoder().encode(events);
          await seen;
          yield new TextEncoder().encode(streamOf(sampleResult()).body);
        })(),
        { headers: { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' } },
      ),
  });
  // The stand-in answers at another origin; the page must not notice, so its fetch is pointed there by the browser.
  await page.route('**/api/check-url/stream', (route) =>
    route.continue({ url: `http://127.0.0.1:${gate.port}/api/check-url/stream` }),
  );
  await linkBox(page).fill('https://example.com/');
  await checkButton(page).click();
  await page.getByText('Looking up the name').waitFor();
  await expectShown(() => page.locator('.stages li').allTextContents()).toEqual([
    'Looking up the name210 ms',
    'Reading the page210 ms',
  ]);
  resolve();
  await resultSection(page).waitFor();
  expect(await page.locator('.progress').isVisible()).toBe(false);
  await gate.stop(true);
});

test('a report is one complete file without scripts and external resources', async () => {
  await using service = await serviceWith();
  await using watched = await browser.open(`${service.url}/`, { acceptDownloads: true });
  const { page, troubles } = watched;
  const hostile = '</style></title><script>alert(1)</script><img src=x onerror=alert(1)>';
  await page.route('**/api/check-url/stream', (route) =>
    route.fulfill(streamOf(sampleResult({ title: hostile, foreign: hostile }))),
  );
  await linkBox(page).fill('https://example.com/');
  await checkButton(page).click();
  await resultSection(page).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), chooseAction(page, 'Save report')]);
  expect(download.suggestedFilename()).toBe('lurecheck-block-xn--pypal-4ve-com-login-example-co-uk-2026-11-20.html');
  const report = readFileSync(await download.path(), 'utf8');
  expect(report).not.toMatch(/<(script|img|a|link|iframe|form)\b/i);
  await using opened = await browser.open('about:blank');
  await opened.page.setContent(report);
  await expectShown(() => opened.page.locator('h2').textContent()).toBe('Do not open this link');
  await expectShown(() => opened.page.locator('.page .title').textContent()).toBe(hostile);
  expect(await opened.page.locator('button, [role=status]').count()).toBe(0);
  expect(JSON.parse((await opened.page.locator('pre').textContent()) ?? '').decision).toBe('block');
  expect([...troubles, ...opened.troubles]).toEqual([]);
});

test('the link is copied in defanged form', async () => {
  await using service = await serviceWith();
  await using watched = await browser.open(`${service.url}/`, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, troubles } = watched;
  await linkBox(page).fill('https://www.example.com/a.b?c=d.e');
  await checkButton(page).click();
  await resultSection(page).waitFor();
  await chooseAction(page, 'Copy link, not clickable');
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('hxxps://www[.]example[.]com/a.b?c=d.e');
  expect(troubles).toEqual([]);
});

test('the operator configures the default visibility, and can hide the history', async () => {
  await using service = await serviceWith('--default-private', 'true', '--public-history', 'false');
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await expectShown(() => page.getByRole('radio', { name: 'Private' }).isChecked()).toBe(true);
  await expectShown(() => page.locator('nav a:not([hidden])').allTextContents()).toEqual(['Check', 'Help']);
  await page.goto(`${service.url}/#/overview`);
  await page.getByText('The operator keeps the public history and its figures switched off.').waitFor();
  expect(troubles).toEqual([]);
});

test('the bookmark fills the input field with the address of the current page, and starts no check', async () => {
  await using service = await serviceWith();
  await using watched = await browser.open(`${service.url}/#/help`);
  const bookmark = watched.page.getByRole('link', { name: 'Is this phishing?' });
  const script = (await bookmark.getAttribute('href')) ?? '';
  await bookmark.click();
  await watched.page.getByText('Drag it to your bookmarks; it works from there.').waitFor();
  expect(watched.troubles).toEqual([]);

  const markup = `<title>doubtful</title><a href="${Bun.escapeHTML(script)}">bookmark</a>`;
  const other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(markup, { headers: { 'content-type': 'text/html' } }),
  });
  const address = `http://127.0.0.1:${other.port}/login?a=1&b=%2F#c`;
  await using doubtful = await browser.open(address);
  const [opened] = await Promise.all([
    doubtful.page.context().waitForEvent('page'),
    doubtful.page.getByRole('link').click(),
  ]);
  await expectShown(() => linkBox(opened).inputValue()).toBe(address);
  expect(await resultSection(opened).count()).toBe(0);
  await other.stop(true);
});

test('a page that waits at the limit shows the contact for a higher one', async () => {
  await using service = await serviceWith('--rate-limit', '1', '--contact', 'security@company.example');
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await linkBox(page).fill('https://a.example/\nhttps://b.example/');
  const contact = page.getByText('For a higher limit, ask security@company.example.');
  await checkButton(page).click();
  await page.getByText('You have reached the limit of checks for this minute.').waitFor();
  await contact.waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await contact.waitFor({ state: 'hidden' });
  expect(troubles).toEqual([]);
});
