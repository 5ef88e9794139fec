import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askIcap } from '#test/support/ask-icap.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startIcapService } from '#test/support/icap-service.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { axeFaults } from './axe.ts';
import { expectShown } from './expect-shown.ts';
import { checkButton, linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const MISSED = 'https://www.example.org/parcel';

const { service, browser, dataDir } = await openStage();

async function listed(from: string): Promise<Record<string, unknown>[]> {
  return JSON.parse((await lurecheck(['feedback', 'list', '--format', 'json', '--data-dir', from])).stdout);
}

test('a wrong verdict is reported with the keyboard alone, and the operator can list the report', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await linkBox(page).fill(MISSED);
  await checkButton(page).click();
  await resultSection(page).waitFor();
  const box = page.locator('.feedback');
  await box.locator('summary').focus();
  await page.keyboard.press('Enter');
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('It asked for my PIN.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.feedback :focus', { hasText: 'Thank you. This was sent to' }).waitFor();
  expect(await box.getByRole('button').count()).toBe(0);
  await untilSeen('the feedback', async () => (await listed(dataDir)).length === 1);
  expect(await listed(dataDir)).toMatchObject([
    { url: MISSED, verdict: 'malicious', decision: 'allow', comment: 'It asked for my PIN.' },
  ]);
  expect(troubles).toEqual([]);
});

test('feedback is not offered for private checks, and is offered for public checks with a hidden history', async () => {
  await using directory = temporaryDirectory();
  await using own = await startService(directory.path, ['--no-public-history', '--feedback-limit', '1']);
  await using watched = await browser.open(`${own.url}/`);
  const { page } = watched;
  await page.getByText('Private', { exact: true }).click();
  await linkBox(page).fill(MISSED);
  await checkButton(page).click();
  await resultSection(page).waitFor();
  expect(await page.locator('.feedback').count()).toBe(0);
  for (const said of ['Thank you.', 'This could not be sent.']) {
    await page.getByRole('button', { name: 'Check another' }).click();
    await page.getByText('Public', { exact: true }).click();
    await linkBox(page).fill(MISSED);
    await checkButton(page).click();
    await page.locator('.feedback summary').click();
    await page.getByRole('button', { name: 'It is harmless' }).click();
    await page.getByText(said).waitFor();
  }
  await untilSeen('the feedback', async () => (await listed(directory.path)).length === 1);
});

test('the overview shows decisions that re-scoring would change, and links to missed phishing', async () => {
  const { request_id } = await service.result(MISSED);
  await using directory = temporaryDirectory();
  const outcome = {
    finished_at: '2026-03-01T02:00:09.000Z',
    judged: 41,
    changes: [{ was: 'allow', now: 'block', checks: 3 }],
    graver: [{ request_id, was: 'allow', now: 'block' }],
  };
  const copy = join(directory.path, 'data');
  await lurecheck(['backup', 'create', join(directory.path, 'one.backup'), '--data-dir', dataDir]);
  await lurecheck(['backup', 'restore', join(directory.path, 'one.backup'), '--data-dir', copy, '--foreign']);
  writeFileSync(join(copy, 'rescored.json'), JSON.stringify(outcome));
  await using own = await startService(copy);
  await using watched = await browser.open(`${own.url}/#/overview`);
  const { page, troubles } = watched;
  const card = page.locator('section.card', { hasText: 'Judged again' });
  await card.getByText('brands: 41.').waitFor();
  await expectShown(() => card.locator('li').first().textContent()).toBe('Now “Block”, was “Allow”3');
  expect(await axeFaults(page)).toEqual([]);
  await card.getByRole('link', { name: MISSED }).click();
  await expectShown(() => linkBox(page).inputValue()).toBe(MISSED);
  expect(troubles).toEqual([]);
});

test('the block page leads to a form by its number, and what is sent there is feedback on the held link', async () => {
  await using directory = temporaryDirectory();
  await lurecheck(['lists', 'add', 'ours', 'held.example', '--action', 'block', '--data-dir', directory.path]);
  const hold = ['--gate-mode', 'hold', '--public-url', 'https://check.example'];
  const icap = await startIcapService(directory.path, hold);
  await using _service = icap.service;
  const { text } = await askIcap(icap.port, 'http://held.example/a?token=abc');
  const [, fragment = ''] = /https:\/\/check\.example\/(#\/report\/[\w-]+)/.exec(text) ?? [];
  expect(fragment).not.toBe('');
  await using watched = await browser.open(`${icap.service.url}/${fragment}`);
  const { page, troubles } = watched;
  await page.locator('.feedback textarea').fill('This is our partner.');
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.locator('body').textContent()).not.toContain('held.example');
  await page.locator('.feedback').getByRole('button').last().click();
  await page.locator('.feedback :focus', { hasText: 'Thank you.' }).waitFor();
  await untilSeen('the feedback', async () => (await listed(directory.path)).length === 1);
  expect(await listed(directory.path)).toMatchObject([{ verdict: 'benign', comment: 'This is our partner.' }]);
  expect(troubles).toEqual([]);
});
