import { expect, test } from 'bun:test';
import { visibleText } from '#src/interfaces/ui/elements/visible-text.ts';
import { sampleResult, streamOf } from '#test/interfaces/ui/sample-result.ts';
import injection from '#test/vectors/output-injection.json' with { type: 'json' };
import { expectShown } from './expect-shown.ts';
import { checkButton, linkBox, openDetails, resultSection } from './ui-browser.ts';
import { openStage } from './ui-stage.ts';

const { service, browser } = await openStage();

/** Everything that the page makes itself inside a result; whatever else stands there came out of a text. */
const OWN_ELEMENTS = new Set(
  'bdi button circle dd details div dl dt figure h2 h3 h4 label li ol p path pre section span strong summary svg textarea ul'.split(
    ' ',
  ),
);

const ELEMENTS = '[...document.querySelectorAll("main section[data-decision] *")].map((it) => it.localName)';

/** A result whose details are open, read in one step. */
interface Drawn {
  /** Texts of the places where a text of the site stands. */
  readonly places: readonly string[];
  readonly titleElement: string;
  readonly windowTitle: string;
  readonly elements: readonly string[];
  readonly attributes: readonly string[];
}
const DRAWN = `(() => {
  const result = document.querySelector('main section[data-decision]');
  const all = [...result.querySelectorAll('*')];
  return {
    places: ['.dns', '.certificate', '.registration', '.redirects'].map((place) => result.querySelector(place).textContent),
    titleElement: result.querySelector('.page .title').localName,
    windowTitle: document.title,
    elements: all.map((it) => it.localName),
    attributes: all.flatMap((it) => it.getAttributeNames()),
  };
})()`;

/** As a browser's text box and the URL parser leave it: neither keeps a line break or a NUL at the edge. */
const typed = (payload: string) => payload.replace(/[\r\n]/g, '').toWellFormed();

/** As it can stand within a link, which white space would end. */
const unspaced = (text: string) => text.replace(/\s/g, '%20');

const payloads = [...new Set(injection.vectors.map(({ payload }) => payload))];

test('hostile text in title, headers, certificate, registration, DNS and forms is displayed as text', async () => {
  await using watched = await browser.open(`${service.url}/`, { reducedMotion: 'reduce' });
  const { page, troubles } = watched;
  let answer = sampleResult();
  await page.route('**/api/check-url/stream', (route) => route.fulfill(streamOf(answer)));
  for (const payload of payloads) {
    answer = sampleResult({ title: payload, foreign: payload });
    await linkBox(page).fill('https://example.com/');
    await checkButton(page).click();
    const result = resultSection(page);
    await result.waitFor();
    await openDetails(page);
    const shown = visibleText(payload.toWellFormed());
    await expectShown(() => result.locator('.page .title').textContent()).toContain(shown);
    const drawn = await page.evaluate<Drawn>(DRAWN);
    expect(drawn.places.filter((text) => !text.includes(shown))).toEqual([]);
    expect([drawn.titleElement, drawn.windowTitle]).toEqual(['bdi', 'Do not open this link – lurecheck']);
    expect(new Set(drawn.elements).difference(OWN_ELEMENTS)).toEqual(new Set());
    expect(drawn.attributes.filter((name) => /^(on|href|src|action)/.test(name))).toEqual([]);
  }
  expect(troubles).toEqual([]);
});

test('hostile text in a URL is displayed as text, in the result and in the history', async () => {
  await using watched = await browser.open(`${service.url}/`, { reducedMotion: 'reduce' });
  const { page, troubles } = watched;
  for (const payload of payloads) {
    const text = unspaced(typed(payload));
    const url = `https://example.com/${text}?q=${text}#${text}`;
    if (!URL.canParse(url) || url.length > 8000) continue;
    await linkBox(page).fill(url);
    await checkButton(page).click();
    // A text that contains a link of its own makes a list, which has the worst link first.
    const first = page.locator('.batch-list button').filter({ hasText: '//example.com/' }).first();
    await resultSection(page).or(first).waitFor();
    if (await first.isVisible()) await first.click();
    await resultSection(page).waitFor();
    await expectShown(() => resultSection(page).locator('.anatomy').textContent()).toContain('example.com');
    expect(new Set(await page.evaluate<string[]>(ELEMENTS)).difference(OWN_ELEMENTS)).toEqual(new Set());
  }
  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('.history-list li').nth(40).waitFor();
  expect(
    await page.evaluate<number>('document.querySelectorAll(".history-list :is(a, script, img, iframe)").length'),
  ).toBe(0);
  expect(troubles).toEqual([]);
});

test('hostile text in the search field of the history is only searched for', async () => {
  await using watched = await browser.open(`${service.url}/#/history`);
  const { page, troubles } = watched;
  for (const { payload } of injection.vectors.filter(({ group }) => group === 'search' || group === 'xss')) {
    await page.getByLabel('Domain').fill(typed(payload));
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .locator('.history-status', { hasText: /match|shown/ })
      .or(page.locator('.history .complaint'))
      .first()
      .waitFor();
  }
  expect(troubles).toEqual([]);
});

test('a link of a checked site is never rendered as a link, an image or a form', async () => {
  await using watched = await browser.open(`${service.url}/`, { reducedMotion: 'reduce' });
  const { page, requests } = watched;
  await page.route('**/api/check-url/stream', (route) => route.fulfill(streamOf(sampleResult())));
  await linkBox(page).fill('https://example.com/');
  await checkButton(page).click();
  await resultSection(page).waitFor();
  const live = 'section[data-decision] :is(a, area, img, form, iframe, object, embed, link, script)';
  expect(await page.locator(live).count()).toBe(0);
  expect(requests.filter((request) => !request.includes(service.url))).toEqual([]);
});
