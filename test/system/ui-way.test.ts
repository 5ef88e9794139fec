import { expect, test } from 'bun:test';
import { defang } from '#src/core/url/defang.ts';
import { axeFaults } from './axe.ts';
import { expectShown } from './expect-shown.ts';
import { picture } from './picture.ts';
import { checkButton, linkBox, openDetails, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';
const ORDINARY = 'https://www.debian.org/releases/stable/';

const { service, browser } = await openStage();

/** Text message of a phone, as people paste it whole. */
const SMS = `PayPal: Unusual sign-in to your account. Confirm within 24 hours or it is locked: ${PHISHING} Reply STOP to end`;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: 'reduce' } as const;

test('a person who pastes a text message on a phone reads what to do, and what if they clicked already', async () => {
  await using watched = await browser.open(`${service.url}/`, PHONE);
  const { page, troubles } = watched;
  await expectShown(() => page.locator('textarea:focus').count()).toBe(1);
  await page.keyboard.insertText(SMS);
  await page.getByText('These links will be checked:').waitFor();
  await expectShown(() => page.locator('#reading li').textContent()).toBe(PHISHING);
  await page.keyboard.press('Enter');
  const result = resultSection(page);
  await result.waitFor();
  await expectShown(() => result.getAttribute('data-decision')).toBe('block');
  await expectShown(() => result.getByRole('heading', { level: 2 }).textContent()).toBe('Do not open this link');
  await expectShown(() => result.locator('.advice').textContent()).toContain('delete the message');
  await expectShown(() => result.locator('.reasons li').count()).toBe(3);
  await expectShown(() => page.locator('h2:focus').textContent()).toBe('Do not open this link');
  // Headline and advice are on the first screen, and nothing is wider than it.
  const advice = await result.locator('.advice').boundingBox();
  expect((advice?.y ?? Infinity) + (advice?.height ?? 0)).toBeLessThan(PHONE.viewport.height);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await picture(page, 'sms');
  await result.locator('summary', { hasText: 'I have clicked already' }).click();
  const help = result.locator('details', { hasText: 'I have clicked already' }).first();
  await expectShown(() => help.textContent()).toMatch(/Call your bank first.*7726/s);
  await picture(page, 'sms-clicked');
  expect(await axeFaults(page)).toEqual([]);
  expect(troubles).toEqual([]);
});

test('a result shows all contributions, which add up to its probability, and the raw answer', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  await linkBox(page).fill(defang(PHISHING));
  await checkButton(page).click();
  const result = resultSection(page);
  await result.waitFor();
  await openDetails(page);
  await result.locator('summary', { hasText: 'Raw response' }).click();
  const raw = JSON.parse((await result.locator('pre').textContent()) ?? '');
  const reasons: { weight: number }[] = raw.analysis_details.reasons;
  const bars = result.locator('.waterfall li:not(.total)');
  await expectShown(() => bars.count()).toBe(reasons.length);
  const weights = await bars.locator('.weight').allTextContents();
  expect(weights.map((text) => Number(text.replace('−', '-')))).toEqual(
    reasons.map(({ weight }) => Number(weight.toFixed(2))),
  );
  const total = reasons.reduce((sum, { weight }) => sum + weight, raw.analysis_details.base_log_odds);
  expect(1 / (1 + Math.exp(-total))).toBeCloseTo(raw.malicious_probability, 6);
  await expectShown(() => result.locator('.anatomy').textContent()).toContain('verify-account-secure.cyou');
  await expectShown(() => result.locator('.unavailable').textContent()).toContain('nothing was looked up');
});

test('several links are checked at once, and each result can be opened', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await linkBox(page).fill(`Look at this:\n${PHISHING}\n${ORDINARY}`);
  await page.getByRole('button', { name: 'Check 2 links' }).click();
  const lines = page.locator('.batch-list button');
  await lines.nth(1).waitFor();
  await lines.filter({ hasText: 'debian.org' }).click();
  await expectShown(() => resultSection(page).getAttribute('data-decision')).toBe('allow');
  await lines.filter({ hasText: 'paypal' }).click();
  await expectShown(() => resultSection(page).getAttribute('data-decision')).toBe('block');
  await expectShown(() => resultSection(page).count()).toBe(1);
  // A name in another script is written as people read it, and in ASCII in the parts of the link.
  await page.getByRole('button', { name: 'Check another' }).click();
  await linkBox(page).fill('https://www.müller-möbel.de/kontakt');
  await checkButton(page).click();
  const shown = resultSection(page).locator('.checked-url');
  await expectShown(() => shown.textContent()).toBe('https://www.müller-möbel.de/kontakt');
  await resultSection(page).locator('summary', { hasText: 'Parts of the link' }).click();
  await expectShown(() => resultSection(page).locator('.anatomy').textContent()).toMatch(
    /müller-möbel\.de.*www\.xn--mller-mbel-kcb9d\.de/s,
  );
  await picture(page, 'own-script');
  expect(troubles).toEqual([]);
});

test('a public check is in the history at once, and a private one is not', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await page.getByText('Private', { exact: true }).click();
  await page.getByText('only the operator of this service can read').waitFor();
  await linkBox(page).fill('http://secret.example/private');
  await checkButton(page).click();
  await resultSection(page).waitFor();
  await page.getByRole('button', { name: 'Check another' }).click();
  await page.getByText('Public', { exact: true }).click();
  await linkBox(page).fill('http://open.example/public');
  await checkButton(page).click();
  await resultSection(page).filter({ hasText: 'open.example' }).waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('.history-list').getByText('http://open.example/public').waitFor();
  expect(await page.locator('body').textContent()).not.toContain('secret.example');
  await page.getByLabel('Domain').fill('open.example');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('1 check shown').waitFor();
  await page.getByLabel('Domain').fill('secret.example');
  await page.keyboard.press('Enter');
  await page.getByText('No matching checks.').waitFor();
  expect(troubles).toEqual([]);
});

test('the history loads page by page until its end', async () => {
  const checks = Array.from({ length: 120 }, (_, i) => service.check(`http://many.example/${i}`));
  await Promise.all(checks);
  await using watched = await browser.open(`${service.url}/#/history`);
  const { page } = watched;
  await page.getByLabel('Domain').fill('many.example');
  await page.getByRole('button', { name: 'Search' }).click();
  // Further pages come as the end of the list comes into view, some of them before anything could be waited for.
  const end = page.getByText('120 checks shown. End of list.');
  for (let step = 0; step < 1000 && !(await end.isVisible()); step++) {
    await page.locator('.history-status').scrollIntoViewIfNeeded();
  }
  await end.waitFor();
  const links = await page.locator('.history-list .foreign').allTextContents();
  expect(new Set(links).size).toBe(120);
});

test('the overview contains the public checks, and no private one', async () => {
  await using watched = await browser.open(`${service.url}/#/overview`);
  const { page, troubles } = watched;
  await page.getByText('Free disk').waitFor();
  await page.getByText('As a table').first().click();
  await page.getByRole('region', { name: /^Checks by verdict/ }).waitFor();
  await expectShown(() => page.getByText('verify-account-secure.cyou').count()).toBe(1);
  await expectShown(() => page.locator('.mark-line').allTextContents()).toEqual(['Warn', 'Block']);
  expect(await page.locator('body').textContent()).not.toContain('secret.example');
  expect(troubles).toEqual([]);
});
