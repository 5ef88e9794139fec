import { afterAll, beforeAll, expect, test } from 'bun:test';
import { visibleText } from '#src/interfaces/ui/elements/visible-text.ts';
import { writeConfigFile } from '#test/lab/config-file.ts';
import { labSites } from '#test/lab/sites.ts';
import { derOid, derSequence, derSet, derUtf8 } from '#test/support/der-writer.ts';
import { type Internet, type SitePlan, startInternet } from '#test/support/internet.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import injection from '#test/vectors/output-injection.json' with { type: 'json' };
import { expectShown } from './expect-shown.ts';
import { checkButton, linkBox, openBrowser, openDetails, resultSection, type TestBrowser } from './ui-browser.ts';

/** Short enough for a DNS string, without what a header cannot carry, and without the address that registries append to a name. */
const PAYLOADS = injection.vectors
  .filter(({ group, payload }) => group === 'xss' && /^(?!.*http:)[\x20-\x7e]{1,60}$/.test(payload))
  .map(({ payload }) => payload);

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A site that says the same hostile text wherever its owner can say anything. */
function hostileSite(payload: string, name: string): SitePlan {
  const attribute = (oid: string, text: string) => derSet(derSequence(derOid(oid), derUtf8(text)));
  return {
    answer: () => ({
      headers: { 'X-Powered-By': payload, Server: payload },
      body: `<title>${escapeHtml(payload)}</title><form method="post" action="/${encodeURIComponent(payload)}"><input type=password></form>`,
    }),
    zone: { txt: [payload] },
    registration: { created: '2020-01-01T00:00:00Z', registrar: payload },
    certificate: { subject: derSequence(attribute('2.5.4.10', payload), attribute('2.5.4.3', name)), names: [name] },
  };
}

const hostile = Object.fromEntries(
  PAYLOADS.map((payload, i) => [`hostile-${i}.example`, hostileSite(payload, `hostile-${i}.example`)]),
);

const opened = new AsyncDisposableStack();
let internet: Internet;
let service: Service;
let browser: TestBrowser;

beforeAll(async () => {
  internet = opened.use(await startInternet({ ...labSites('example', Date.now()), ...hostile }));
  const directory = opened.use(temporaryDirectory());
  const config = await writeConfigFile(internet, directory.path);
  service = opened.use(await startService(directory.path, ['--network', 'full', '--config', config]));
  browser = opened.use(await openBrowser());
});
afterAll(() => opened.disposeAsync());

test('a clone of a bank site is shown with all observations', async () => {
  await using watched = await browser.open(`${service.url}/`, { reducedMotion: 'reduce' });
  const { page, troubles } = watched;
  await linkBox(page).fill(internet.url('harbourbank-secure.example'));
  await checkButton(page).click();
  const result = resultSection(page);
  await result.waitFor();
  expect(await result.getAttribute('data-decision')).not.toBe('allow');
  await openDetails(page);
  await expectShown(() => result.locator('.page').textContent()).toContain('Harbour Bank');
  await expectShown(() => result.locator('.registration').textContent()).toContain('3 days old');
  await expectShown(() => result.locator('.certificate').textContent()).toContain('harbourbank-secure.example');
  await expectShown(() => result.locator('.dns').textContent()).toContain('ns1.lab.example');
  await expectShown(() => result.locator('.time-line .moment').count()).toBeGreaterThan(1);
  expect(troubles).toEqual([]);
});

test('text of a real site in title, certificate, registration, DNS and forms is displayed as text', async () => {
  await using watched = await browser.open(`${service.url}/`, { reducedMotion: 'reduce' });
  const { page, troubles } = watched;
  for (const [i, payload] of PAYLOADS.entries()) {
    await linkBox(page).fill(internet.url(`hostile-${i}.example`));
    await checkButton(page).click();
    const result = resultSection(page);
    await result.waitFor();
    await openDetails(page);
    const shown = visibleText(payload);
    await expectShown(() => result.locator('.page .title').textContent()).toBe(shown.replace(/\s+/g, ' ').trim());
    for (const place of ['.dns', '.certificate', '.registration']) {
      await expectShown(() => result.locator(place).textContent()).toContain(shown);
    }
    expect(await result.locator(':is(script, img, a, iframe, form, style, base, meta, x, math)').count()).toBe(0);
  }
  expect(PAYLOADS.length).toBeGreaterThan(20);
  expect(troubles).toEqual([]);
});

test('the page announces what a check will access, and can request a check without a visit', async () => {
  await using watched = await browser.open(`${service.url}/`, { reducedMotion: 'reduce' });
  const { page, troubles, requests } = watched;
  await expectShown(() => page.locator('.visit').textContent()).toContain('This server will visit the link');
  const before = internet.visits.length;
  await page.getByLabel('Do not visit it').check();
  await expectShown(() => page.locator('.visit').textContent()).toContain('nothing is looked up');
  await linkBox(page).fill(internet.url('harbourbank-secure.example'));
  await checkButton(page).click();
  await resultSection(page).waitFor();
  expect(requests.filter((request) => request.includes('"visit":false'))).toHaveLength(1);
  expect(internet.visits.length).toBe(before);
  await expectShown(() => resultSection(page).locator('.verdict .coverage').textContent()).toBe('page not visited');
  expect(troubles).toEqual([]);
});
