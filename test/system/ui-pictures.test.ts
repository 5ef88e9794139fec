import { expect, test } from 'bun:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { sampleResult, streamOf } from '#test/interfaces/ui/sample-result.ts';
import { expectShown } from './expect-shown.ts';
import { linkBox, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();

const LONG = `https://${'sub.'.repeat(20)}example.co.uk/${'path/'.repeat(60)}?${'query=1&'.repeat(60)}`;

/** The result of a check as the page shows it, with two earlier public checks of the same site. */
async function show(page: Page, result: CheckResult): Promise<void> {
  const { normalized_url: url } = result.analysis_details;
  const row = (day: number, decision: string, probability: number) => ({
    request_id: `019c13f7-9800-7a11-8b3c-5d9f1e2a00${day}`,
    url,
    malicious_probability: probability,
    decision,
    coverage: 'url_only',
    caution: false,
    model_version: 'older',
    timestamp: `2026-11-${day}T10:00:00.000Z`,
  });
  const history = { items: [row(18, 'warn', 0.6), row(16, 'allow', 0.03)], next_cursor: null };
  const summary = {
    checks: { allow: 1, warn: 1, block: 0 },
    first_at: history.items[1]?.timestamp,
    counted_back_to: null,
  };
  await page.route('**/api/check-url/stream', (route) => route.fulfill(streamOf(result)));
  await page.route('**/api/history?*', (route) => route.fulfill({ json: history }));
  await page.route('**/api/history/summary?*', (route) => route.fulfill({ json: summary }));
  await linkBox(page).fill(url);
  await page.keyboard.press('Enter');
  await resultSection(page).locator('.verdict-line').waitFor();
}

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

test('the URL is shown in one line of labelled parts, with the domain larger than all others', async () => {
  await using watched = await browser.open(`${service.url}/`, { viewport: { width: 1280, height: 800 } });
  const { page, troubles } = watched;
  await show(page, sampleResult());
  const parts = page.locator('.url-line .url-part');
  await expectShown(() => parts.locator('.mono').allTextContents()).toEqual([
    'http://',
    'xn--pypal-4ve.com.login.',
    'example.co.uk',
    '/account/verify',
    '?session=8f2e',
  ]);
  await expectShown(() => parts.locator('.url-label').allTextContents()).toEqual([
    'Scheme',
    'Subdomain',
    'Domain',
    'Path',
    'Query',
  ]);
  // All in one turn of the page: what arrives between two questions may move the line.
  const boxes = await parts.evaluateAll((all) =>
    all.map((part) => ({
      height: part.querySelector('.mono')?.getBoundingClientRect().height,
      bottom: Math.round(part.getBoundingClientRect().bottom),
    })),
  );
  const heights = boxes.map(({ height }) => height ?? 0);
  expect(Math.max(...heights)).toBe(heights[2] ?? 0);
  const bottoms = boxes.map(({ bottom }) => bottom);
  expect(new Set(bottoms).size).toBe(1);
  expect(troubles).toEqual([]);
});

test('a timeline shows earlier verdicts and what changed', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page, troubles } = watched;
  await show(page, sampleResult());
  const line = page.getByRole('list', { name: 'Earlier public verdicts on this site' });
  await expectShown(() => line.locator('li').allTextContents()).toEqual([
    'Allow3.0%Nov 16, 2026',
    'Warn60%Nov 18, 2026',
    'Block99.7%This check',
  ]);
  await expectShown(() => page.locator('.verdict-changes li').allTextContents()).toEqual([
    'Nov 18, 2026: Allow, then Warn',
    'Nov 20, 2026: Warn, then Blockthe page was read this time and another version of the model',
  ]);
  expect(troubles).toEqual([]);
});

test.each<[string, BrowserContextOptions]>([
  ['on a phone', { viewport: { width: 320, height: 700 } }],
  ['from right to left', { locale: 'ar', viewport: { width: 390, height: 780 } }],
  ['in forced colours', { forcedColors: 'active' }],
])('the drawing of a long redirect chain fits %s, and lists every hop', async (_, options) => {
  await using watched = await browser.open(`${service.url}/`, options);
  const { page, troubles } = watched;
  const result = sampleResult({ url: LONG });
  const { analysis_details: details } = result;
  const [first] = details.redirects;
  if (first === undefined) throw new Error('the sample has no redirect');
  const way = Array.from({ length: 6 }, (_, at) => ({
    ...first,
    url: at === 0 ? details.normalized_url : `https://hop${at}.example/${'x'.repeat(300)}`,
    location: `https://hop${at + 1}.example/${'x'.repeat(300)}`,
  }));
  const last = way.at(-1)?.location ?? '';
  const script = { ...first, url: last, location: 'https://script.example/', how: 'script', followed: false } as const;
  await show(page, { ...result, analysis_details: { ...details, final_url: last, redirects: [...way, script] } });
  await page.locator('.anatomy').evaluate('(it) => { it.open = true; }');
  await page.locator('.redirects').evaluate('(it) => { it.open = true; }');
  expect(await widthOf(page)).toBeLessThanOrEqual(0);
  await expectShown(() => page.locator('.hop .owner').allTextContents()).toEqual([
    'example.co.uk',
    ...Array.from({ length: 6 }, (_, at) => `hop${at + 1}.example`),
    'script.example',
  ]);
  await expectShown(() => page.locator('.hop .chip').count()).toBe(7);
  await expectShown(() => page.locator('.hop.unvisited').count()).toBe(1);
  expect(troubles).toEqual([]);
});
