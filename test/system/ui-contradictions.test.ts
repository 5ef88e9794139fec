import { expect, test } from 'bun:test';
import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { sampleResult, streamOf } from '#test/interfaces/ui/sample-result.ts';
import { expectShown } from './expect-shown.ts';
import { checkButton, linkBox, openDetails, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();

/** The page that shows the sample, but for what is said otherwise. */
async function shown(details: Partial<AnalysisDetails>, more: Partial<CheckResult> = {}) {
  const watched = await browser.open(`${service.url}/`, { reducedMotion: 'reduce' });
  const sample = sampleResult();
  const answer = { ...sample, ...more, analysis_details: { ...sample.analysis_details, ...details } };
  await watched.page.route('**/api/check-url/stream', (route) => route.fulfill(streamOf(answer)));
  await linkBox(watched.page).fill('https://example.com/');
  await checkButton(watched.page).click();
  const result = resultSection(watched.page);
  await result.waitFor();
  await openDetails(watched.page);
  return {
    text: async (place: string) => (await result.locator(place).textContent()) ?? '',
    [Symbol.asyncDispose]: () => watched[Symbol.asyncDispose](),
  };
}

const unscored = { how: 'http', followed: true, malicious_probability: null, decision: null } as const;
const hop = (url: string, location: string) => ({ url, status: 302, location, address: '192.0.2.1', ...unscored });
const off = (['page', 'dns', 'registration', 'certificate', 'lists'] as const).map((component) => ({
  component,
  reason: 'disabled' as const,
}));

test('each panel names its host', async () => {
  await using result = await shown({});
  const { host_parts, final_url } = sampleResult().analysis_details;
  for (const place of ['.dns h3', '.certificate h3']) expect(await result.text(place)).toContain(host_parts.unicode);
  expect(await result.text('.registration h3')).toContain(host_parts.registrable_domain ?? '');
  expect(await result.text('.page h3')).toContain(new URL(final_url ?? '').hostname);
});

test('the records of the site to which a link leads are shown beside those of the link itself', async () => {
  const { dns_records, whois_info, cert_info } = sampleResult().analysis_details;
  await using result = await shown({ landing: { host: 'landing.example', dns_records, whois_info, cert_info } });
  for (const place of ['dns', 'certificate', 'registration']) {
    expect(await result.text(`.${place} >> nth=1 >> h3`)).toContain('landing.example');
  }
});

test('the verdict names the end of a link, by redirects or within a link protector', async () => {
  const end = 'https://lure.example/login';
  await using redirected = await shown({ redirects: [hop('https://a.example/', end)], final_url: end });
  expect(await redirected.text('.verdict')).toContain(`Leads to ${end}`);
  const inside = 'http://paypal-login.verify-account.cyou/signin';
  const told = { args: { inside: 'x.example' }, message: 'The link leads on to x.example. It imitates PayPal.' };
  const reason = { component: 'brand', code: 'brand.name_in_subdomain', weight: 2, ...told } as const;
  await using wrapped = await shown({ redirects: [], final_url: null, unwrapped_urls: [inside], reasons: [reason] });
  expect(await wrapped.text('.verdict')).toContain(`Leads to ${inside}`);
  expect(await wrapped.text('.why')).not.toContain('leads on to');
  await using plain = await shown({ redirects: [], final_url: null, unwrapped_urls: [] });
  expect(await plain.text('.verdict')).not.toContain('Leads to');
});

test('an address that the service did not visit is not called the end', async () => {
  const refused = 'http://169.254.169.254/';
  const start = 'https://lure.example/';
  await using result = await shown({ redirects: [hop(start, refused)], final_url: start });
  const unvisited = await result.text('.redirects .unvisited');
  expect(unvisited).toContain(refused);
  expect(unvisited).toEndWith('Not followed any further');
  expect(await result.text('.redirects .end')).not.toContain(refused);
  expect(await result.text('.verdict')).toContain(`Leads to ${refused}`);
});

test('a brand is called imitated only with a reason for that, and never on its own pages', async () => {
  const { host_parts, reasons } = sampleResult().analysis_details;
  const domain = host_parts.registrable_domain ?? '';
  await using foreign = await shown({ brand: { name: 'PayPal', confidence: 1, domains: ['paypal.com'] } });
  expect(await foreign.text('.anatomy')).toContain('Imitates');
  await using own = await shown({ brand: { name: 'PayPal', confidence: 1, domains: [domain] } });
  expect(await own.text('.anatomy')).toContain('Brand');
  const silent = reasons.filter(({ component }) => component !== 'brand');
  await using named = await shown({ brand: { name: 'Microsoft', confidence: 1, domains: [] }, reasons: silent });
  expect(await named.text('.anatomy')).not.toContain('Imitates');
});

test('an offline service states that plainly, and lists without configuration are not called switched off', async () => {
  await using offline = await shown({ unavailable: [...off] });
  expect(await offline.text('.unavailable')).toContain('Judged by the link alone; nothing was looked up.');
  expect(await offline.text('.verdict .meta')).not.toContain('less certain');
  expect(await offline.text('.unavailable')).not.toContain('switched off');
  await using noLists = await shown({ unavailable: off.slice(4) });
  expect(await noLists.text('.unavailable')).toContain('no lists set up');
  expect(await noLists.text('.verdict .meta')).not.toMatch(/less certain|link alone/);
  await using partial = await shown({ unavailable: [{ component: 'dns', reason: 'timeout' }] });
  expect(await partial.text('.verdict .meta')).toContain('less certain');
});

test('the verdict states that a page was not read to its end', async () => {
  const cut = { component: 'page', code: 'page.not_seen_whole', message: 'x', args: {}, weight: 0.2 } as const;
  await using result = await shown({ reasons: [cut] });
  expect(await result.text('.verdict .meta')).toContain('The page was not read to its end.');
});

test('a password in a URL is shown in no list of links', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  await linkBox(page).fill('https://jane:zqhunter1@a.example/ and https://b.example/');
  await expectShown(() => page.locator('#reading').textContent()).toContain('https://jane:***@a.example/');
  await checkButton(page).click();
  await page.locator('.batch-list button').nth(1).waitFor();
  await page.locator('.batch-list button').first().click();
  await resultSection(page).waitFor();
  expect(await page.locator('main').textContent()).not.toContain('zqhunter1');
});

test('a clean verdict with a reason for phishing states that the signals are mixed', async () => {
  const [first, ...others] = sampleResult().analysis_details.reasons;
  if (first === undefined) throw new Error('the sample has reasons');
  const allowed = { decision: 'allow', malicious_probability: 0.01 } as const;
  const seen = { coverage: 'full', caution: false } as const;
  const reasonsFor = [{ ...first, weight: 0.3 }, ...others.slice(0, 1).map((one) => ({ ...one, weight: -2 }))];
  await using mixed = await shown({ ...seen, reasons: reasonsFor }, allowed);
  expect(await mixed.text('.reasons')).toContain('▲');
  expect(await mixed.text('.advice')).toStartWith('Some signs point to phishing, but more of them to a genuine site.');
  await using clean = await shown({ ...seen, reasons: reasonsFor.slice(1) }, allowed);
  expect(await clean.text('.advice')).toStartWith('Taken together, nothing here points to phishing.');
});

test('a batch whose service is unavailable shows in its title how many links are not checked', async () => {
  await using watched = await browser.open(`${service.url}/`);
  const { page } = watched;
  let answered = 0;
  await page.route('**/api/check-url/stream', (route) =>
    answered++ < 4 ? route.fulfill(streamOf(sampleResult())) : route.abort('connectionrefused'),
  );
  await linkBox(page).fill(Array.from({ length: 9 }, (_, i) => `https://site${i}.example/`).join('\n'));
  await checkButton(page).click();
  await expectShown(() => page.title()).toBe('4 Block, 5 Not checked – lurecheck');
  await expectShown(() => page.locator('.batch-list .complaint').count()).toBe(5);
});
