import { describe, expect, test } from 'bun:test';
import { hopsOf } from '#src/engine/assess/stops.ts';
import { coverageOf } from '#src/engine/assess/unseen-evidence.ts';
import { readPage } from '#src/network/html/read-page.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { isBrowserNeeded, mergeVisit } from '#src/parts/browser/render.ts';
import type { RenderedPage } from '#src/parts/browser/visit/rendered-page.ts';
import { targetOf } from '#test/support/target.ts';

const URL_OF_SHELL = 'http://shop.example/';
const WORDS = '<p>Our volunteers planted forty trees along the canal in the first week of March.</p>'.repeat(8);
const LOGIN = `<h1>Log in</h1>${WORDS}<form action="/in" method="post"><input name="u"><input type="password"></form>`;

const documentOf = (html: string, url = URL_OF_SHELL) =>
  readPage(Buffer.from(html), { contentType: 'text/html; charset=utf-8', url });
const fetched = (html: string, more: Partial<PageVisit> = {}) =>
  visitOf(targetOf(URL_OF_SHELL), { contentLength: html.length, document: documentOf(html), ...more });

const rendered = (more: Partial<RenderedPage> = {}): RenderedPage => ({
  ...{ hops: [], finalUrl: URL_OF_SHELL, statusCode: 200, headers: { server: 'x', 'x-other': 'y' } },
  ...{ document: { url: URL_OF_SHELL, markup: Buffer.from(LOGIN) }, frames: [], frameUrls: [], earlier: null },
  ...{ boxes: { fields: [], buttons: [] } },
  ...{ hasLoaded: true, isCut: false, requests: 2, screenshot: null },
  ...more,
});

function merge(
  visit: PageVisit,
  page: RenderedPage,
  frames: readonly [url: string, html: string][] = [],
  isCut = false,
) {
  return mergeVisit(visit, {
    ...{ page, isCut, addressOf: () => '192.0.2.7' },
    document: page.document && documentOf(Buffer.from(page.document.markup).toString(), page.document.url),
    earlier: page.earlier && documentOf(Buffer.from(page.earlier.markup).toString(), page.earlier.url),
    frames: frames.map(([url, html]) => documentOf(html, url)),
  });
}

const coverage = (value: PageVisit) => coverageOf({ page: { state: 'observed', value, elapsedMs: 0 } }, false);
const SHELL = fetched('<div id="root"></div><script src="/app.js"></script>');

describe('a merged visit', () => {
  test('has the page as the browser shows it, and passes the one that was fetched', () => {
    const merged = merge(SHELL, rendered());
    expect(coverage(SHELL)).toBe('partial');
    expect(coverage(merged)).toBe('full');
    expect(merged.document?.forms.length).toBe(1);
    expect(merged.passed.map(({ document }) => document?.forms.length)).toEqual([0]);
    expect(merged.headers).toEqual({ server: 'x' });
  });

  test('passes the page that was there before the last one', () => {
    const earlier = { url: `${URL_OF_SHELL}in`, markup: Buffer.from(LOGIN) };
    const document = { url: URL_OF_SHELL, markup: Buffer.from(WORDS) };
    const { passed } = merge(SHELL, rendered({ document, earlier }));
    expect(passed.map(({ finalUrl, document: page }) => [finalUrl, page?.forms.length])).toEqual([
      [URL_OF_SHELL, 0],
      [earlier.url, 1],
    ]);
  });

  test('has each new step of the browser once, with its address, as one that was followed', () => {
    const step = { url: URL_OF_SHELL, status: 200, location: 'http://other.example/x#y', how: 'script' } as const;
    const url = 'http://other.example/x';
    const page = rendered({ hops: [step, step], finalUrl: url, document: { url, markup: Buffer.from(LOGIN) } });
    const merged = merge(SHELL, page);
    const [hop, ...others] = hopsOf({ page: { state: 'observed', value: merged, elapsedMs: 0 } });
    expect(hop).toMatchObject({ url: URL_OF_SHELL, how: 'script', followed: true, address: '192.0.2.7' });
    expect(others).toEqual([]);
    expect(merge({ ...SHELL, redirects: merged.redirects }, page).redirects).toEqual(merged.redirects);
  });

  test('has frames of other sites as pages of their own', () => {
    const url = 'http://collect.example/form';
    const merged = merge(SHELL, rendered({ frameUrls: [url] }), [[url, LOGIN]]);
    expect(merged.passed.map(({ finalUrl }) => finalUrl)).toEqual([URL_OF_SHELL, url]);
    expect(hopsOf({ page: { state: 'observed', value: merged, elapsedMs: 0 } })).toMatchObject([
      { location: url, how: 'frame', followed: true },
    ]);
  });

  test('is not full if the page was cut, is bare, or still leads to what was not fetched', () => {
    expect(coverage(merge(SHELL, rendered(), [], true))).toBe('partial');
    const bare = rendered({ document: { url: URL_OF_SHELL, markup: Buffer.from('<p>Wait<script>;</script>') } });
    expect(coverage(merge(SHELL, bare))).toBe('partial');
    const leading = fetched('<p>Wait<script>setTimeout(()=>{location="http://late.example/"},60000)</script>');
    const short = rendered({ document: { url: URL_OF_SHELL, markup: Buffer.from('<p>Wait') } });
    expect(merge(leading, short).exits).toEqual([{ how: 'script', url: 'http://late.example/' }]);
    expect(coverage(merge(leading, short))).toBe('partial');
  });

  test('ends where it was if the browser shows no page', () => {
    expect(merge(SHELL, rendered({ document: null }))).toEqual(SHELL);
    const step = { url: URL_OF_SHELL, status: 200, location: 'http://gone.example/', how: 'script' } as const;
    const gone = merge(SHELL, rendered({ document: null, hops: [step], finalUrl: 'http://gone.example/' }));
    expect(gone.stopped?.code).toBe('unreachable');
    expect(gone.redirects.length).toBe(1);
    expect(gone.document).toBe(SHELL.document);
  });
});

describe('a browser is needed', () => {
  const needed = (visit: PageVisit) => isBrowserNeeded('unseen', visit);
  test('for what was not seen in full, and for secrets beside scripts', () => {
    expect(needed(SHELL)).toBe('yes');
    expect(needed(fetched(`${LOGIN}<script src="/app.js"></script>`))).toBe('yes');
    expect(needed(fetched('', { document: null, statusCode: 403 }))).toBe('yes');
    expect(needed(fetched(WORDS, { truncated: true }))).toBe('yes');
  });

  test('perhaps for scripts that were not read, and for nothing else', () => {
    expect(needed(fetched(`${WORDS}<script src="/app.js"></script>`))).toBe('maybe');
    expect(needed(fetched(`${WORDS}<script>1</script>`))).toBe('no');
    expect(needed(fetched(LOGIN))).toBe('no');
    expect(isBrowserNeeded('unseen', fetched(LOGIN), true)).toBe('yes');
    expect(isBrowserNeeded('unseen', fetched(WORDS), true)).toBe('no');
    expect(needed(fetched('', { document: null, statusCode: 404 }))).toBe('no');
    expect(needed(fetched('', { document: null, contentLength: 9 }))).toBe('no');
    expect(isBrowserNeeded('never', SHELL)).toBe('no');
    expect(isBrowserNeeded('always', fetched(WORDS))).toBe('yes');
  });
});
