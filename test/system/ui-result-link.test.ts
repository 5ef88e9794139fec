import { expect, test } from 'bun:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { expectShown } from './expect-shown.ts';
import { checkButton, linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin';

/** The link to a private result, as the page copies it. */
async function copiedLink(): Promise<string> {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page, troubles } = watched;
  await page.getByText('Private', { exact: true }).click();
  await linkBox(page).fill(PHISHING);
  await checkButton(page).click();
  await page.getByRole('button', { name: 'Copy link to this result' }).click();
  await page.getByText('Whoever has this link can read the result').waitFor();
  expect(troubles).toEqual([]);
  return await page.evaluate<string>('navigator.clipboard.readText()');
}

test('a link shows the signed result in any browser, and nothing is logged', async () => {
  const link = await copiedLink();
  expect(link).toStartWith(`${service.url}/#result=`);
  expect(link.length).toBeLessThan(4000);
  const told = service.output.stdout.length;
  await using watched = await browser.open(link);
  const { page, troubles, requests } = watched;
  await page.getByText('Signed by this server: it gave this answer on').waitFor();
  await expectShown(() => resultSection(page).getAttribute('data-decision')).toBe('block');
  expect(await resultSection(page).locator('.seen').count()).toBe(0);
  expect(requests.filter((request) => request.includes('/api/'))).toEqual([
    expect.stringMatching(/^POST .*\/api\/results\/verify /),
  ]);
  expect(service.output.stdout.length).toBe(told);
  await page.getByRole('button', { name: 'Repeat the check' }).click();
  await page.locator('.result h2:focus').waitFor();
  await expectShown(() => resultSection(page).getAttribute('data-decision')).toBe('block');
  await expectShown(() => linkBox(page).inputValue()).toBe(PHISHING);
  expect(troubles).toEqual([]);
});

test('a result that was changed, or signed by another service, is not shown, and an alert reports that', async () => {
  const link = await copiedLink();
  const [packed = '', signature = ''] = link.split('#result=')[1]?.split('.') ?? [];
  const text = inflateRawSync(Buffer.from(packed, 'base64url')).toString();
  const forged = deflateRawSync(text.replace('"decision":"block"', '"decision":"allow"')).toString('base64url');
  await using directory = temporaryDirectory();
  await using other = await startService(directory.path);
  for (const made of [`${service.url}/#result=${forged}.${signature}`, `${other.url}/#result=${packed}.${signature}`]) {
    await using watched = await browser.open(made);
    const { page, troubles } = watched;
    await page.getByRole('alert').filter({ hasText: 'Not signed by this server.' }).waitFor();
    expect(await resultSection(page).count()).toBe(0);
    await expectShown(() => page.locator('main').textContent()).toContain(
      'hxxp://paypal-login[.]verify-account-secure[.]cyou',
    );
    expect(await page.locator('main').textContent()).not.toMatch(/No phishing found|Do not open/);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expectShown(() => linkBox(page).inputValue()).toBe(PHISHING);
    expect(troubles).toEqual([]);
  }
});

test('an invalid link to a result is reported as incomplete', async () => {
  await using watched = await browser.open(`${service.url}/#result=abc.def`);
  const { page, troubles } = watched;
  await page.getByRole('alert').filter({ hasText: 'This link to a result is incomplete.' }).waitFor();
  expect(troubles).toEqual([]);
});

test('a link shows the mismatch in the message, and a graver verdict of today is shown first', async () => {
  await using watched = await browser.open(`${service.url}/`, CLIPBOARD);
  const { page, troubles } = watched;
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData('text/html', '<a href="https://www.debian.org/">www.paypal.com</a>');
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);
  await page.locator('#reading .mismatch').waitFor();
  await checkButton(page).click();
  await page.getByRole('button', { name: 'Copy link to this result' }).click();
  await page.getByText('Whoever has this link can read the result').waitFor();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  await using opened = await browser.open(link);
  await opened.page.getByText('Signed by this server').waitFor();
  await expectShown(() => resultSection(opened.page).getAttribute('data-caution')).toBe('true');
  await expectShown(() => resultSection(opened.page).textContent()).toContain('The message says www.paypal.com');
  await opened.page.getByText('Today, by the link and the lists of this server alone:').waitFor();
  await using later = await browser.open('about:blank');
  const today = { malicious_probability: 0.99, decision: 'block', caution: false, model_version: '1', timestamp: '' };
  await later.page.route('**/api/results/verify', (route) => route.fulfill({ json: { is_signed: true, today } }));
  await later.page.goto(link);
  await later.page.locator('[data-today=block]').waitFor();
  expect(await resultSection(later.page).isVisible()).toBe(false);
  await using offline = await browser.open('about:blank');
  await offline.page.route('**/api/results/verify', (route) => route.abort());
  await offline.page.goto(link);
  await offline.page.getByText('This server could not be asked').waitFor();
  expect(await resultSection(offline.page).count()).toBe(0);
  expect(troubles).toEqual([]);
});
