import { describe, expect, test } from 'bun:test';
import { readPage } from '#src/network/html/read-page.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import type { RenderSubject } from '#src/network/probes/rendering.ts';
import type { BrowserVisit, VisitOutcome } from '#src/parts/browser/browser-thread.ts';
import { createRenderer, type RendererParts } from '#src/parts/browser/render.ts';
import type { RenderedPage, Screenshot } from '#src/parts/browser/visit/rendered-page.ts';
import { VIEWPORTS, type VisitOrder } from '#src/parts/browser/visit/visit-page.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';

const URL_OF_SHELL = 'http://shop.example/';
const SHELL = '<div id="root"></div><script src="/app.js"></script>';
const LOGIN = '<h1>Log in</h1><form action="/in" method="post"><input name="u"><input type="password"></form>';
const SETTINGS = { browser_when: 'unseen', browser_private: false, browser_pages: 2 } as const;

const target = targetOf(URL_OF_SHELL);
const visit = visitOf(target, {
  contentLength: SHELL.length,
  document: readPage(Buffer.from(SHELL), { contentType: 'text/html', url: URL_OF_SHELL }),
});
const PAGE: RenderedPage = {
  ...{ hops: [], finalUrl: URL_OF_SHELL, statusCode: 200, headers: {}, frames: [], frameUrls: [], earlier: null },
  ...{ boxes: { fields: [], buttons: [] } },
  ...{ document: { url: URL_OF_SHELL, markup: Buffer.from(LOGIN) }, hasLoaded: true, isCut: false, requests: 2 },
  screenshot: null,
};

/** A browser whose visits end, and whose pages are left, when a test says so. */
function heldBrowser() {
  const visits: { order: VisitOrder; end(outcome: VisitOutcome): void; leave(): void }[] = [];
  const start = (order: VisitOrder): BrowserVisit => {
    const outcome = Promise.withResolvers<VisitOutcome>();
    const left = Promise.withResolvers<void>();
    visits.push({ order, end: outcome.resolve, leave: left.resolve });
    return { outcome: outcome.promise, left: left.promise };
  };
  return { visits, thread: { visit: start } };
}

/** Runs with a renderer, which visits for a client of a visibility. */
async function withRenderer(
  own: Partial<RendererParts> & Pick<RendererParts, 'thread'>,
  run: (
    render: (
      client: string | null,
      own?: Partial<RenderSubject>,
      visibility?: 'private',
      screenshot?: 'desktop',
    ) => Promise<RenderSeen>,
  ) => unknown,
): Promise<void> {
  await using egress = openLoopback([]);
  const renderer = createRenderer({
    settings: () => SETTINGS,
    isPopular: () => false,
    userAgent: null,
    viewport: VIEWPORTS.phone,
    hasLooks: () => false,
    keepPicture: null,
    ...own,
  });
  await run(async (client, own, visibility, screenshot) => {
    const check = { client, visibility: visibility ?? 'public', target, screenshot } as const;
    const { report, visit: seen } = await renderer(check)({
      ...{ target, visit, egressClient: egress.client(), timeoutMs: PATIENT_MS },
      readPage: async (bytes, source) => readPage(bytes, source),
      signal: new AbortController().signal,
      ...own,
    });
    return { ...report, forms: seen.document?.forms.length, isUnchanged: seen === visit };
  });
}

type RenderSeen = Record<string, unknown> & { readonly status: string };

const untilVisits = async (visits: readonly unknown[], count: number) => {
  while (visits.length < count) await new Promise(setImmediate);
};

describe('a page', () => {
  test('is what the browser shows, and its picture is kept under its hash', async () => {
    const { visits, thread } = heldBrowser();
    const kept: [visibility: string, sha256: string, picture: Screenshot][] = [];
    await withRenderer({ thread, keepPicture: (...one) => void kept.push(one) }, async (render) => {
      const rendering = render('a');
      await untilVisits(visits, 1);
      expect(visits[0]?.order).toMatchObject({ url: URL_OF_SHELL, takesPicture: true, hasScripts: true });
      expect(visits[0]?.order.viewport).toEqual({ width: 390, height: 844, mobile: true });
      const screenshot = { bytes: Buffer.from('picture'), width: 1280, height: 800 };
      visits[0]?.end({ page: { ...PAGE, screenshot } });
      const sha256 = new Bun.CryptoHasher('sha256').update('picture').digest('hex');
      expect(await rendering).toMatchObject({
        ...{ status: 'ok', finalUrl: URL_OF_SHELL, requests: 2, refused: 0, forms: 1 },
        screenshot: { sha256, width: 1280, height: 800 },
      });
      expect(kept).toEqual([['public', sha256, screenshot]]);
    });
  });

  test('that was seen in full is visited for a picture that a check asks for, in its window', async () => {
    const { visits, thread } = heldBrowser();
    let when: 'unseen' | 'never' = 'unseen';
    const document = readPage(Buffer.from(LOGIN), { contentType: 'text/html', url: URL_OF_SHELL });
    const full = { visit: visitOf(target, { contentLength: LOGIN.length, document }) };
    await withRenderer({ thread, settings: () => ({ ...SETTINGS, browser_when: when }) }, async (render) => {
      expect((await render('a', full)).status).toBe('skipped');
      const rendering = render('a', full, undefined, 'desktop');
      await untilVisits(visits, 1);
      expect(visits[0]?.order.viewport).toBe(VIEWPORTS.desktop);
      visits[0]?.end({ page: PAGE });
      expect((await rendering).status).toBe('ok');
      expect((await render('a', full, 'private', 'desktop')).status).toBe('disabled');
      when = 'never';
      expect((await render('a', full, undefined, 'desktop')).status).toBe('disabled');
    });
  });

  test('stays as it was fetched if the browser shows none, is late, or fails', async () => {
    const { visits, thread } = heldBrowser();
    const outcomes: readonly VisitOutcome[] = [
      { status: 'timeout', problem: '' },
      { status: 'error', problem: '' },
      { page: { ...PAGE, document: null } },
    ];
    await withRenderer({ thread }, async (render) => {
      const seen = [];
      for (const [at, outcome] of outcomes.entries()) {
        const rendering = render('a');
        await untilVisits(visits, at + 1);
        visits[at]?.end(outcome);
        visits[at]?.leave();
        const { status, forms } = await rendering;
        seen.push([status, forms]);
      }
      expect(seen).toEqual([
        ['timeout', 0],
        ['error', 0],
        ['error', 0],
      ]);
    });
  });

  test('is not visited if the settings exclude it, it was seen in full, or there is no time', async () => {
    const { visits, thread } = heldBrowser();
    let settings: ReturnType<RendererParts['settings']> = SETTINGS;
    await withRenderer({ thread, settings: () => settings }, async (render) => {
      const missing = { ...visit, document: null, statusCode: 404 };
      expect((await render('a', {}, 'private')).status).toBe('disabled');
      expect((await render('a', { visit: missing })).status).toBe('skipped');
      expect((await render('a', { timeoutMs: 1000 })).status).toBe('overloaded');
      settings = { ...SETTINGS, browser_when: 'never' };
      expect(await render('a')).toMatchObject({ status: 'disabled', isUnchanged: true });
    });
    expect(visits).toEqual([]);
  });
});

describe('a place', () => {
  test('is for pages that need a browser first, and for popular sites only if they do', async () => {
    const { visits, thread } = heldBrowser();
    const html = `<p>${'Our volunteers planted forty trees. '.repeat(9)}</p><script src="/a.js"></script>`;
    const document = readPage(Buffer.from(html), { contentType: 'text/html', url: URL_OF_SHELL });
    const words = visitOf(target, { contentLength: html.length, document });
    let isPopular = false;
    const settings = () => ({ ...SETTINGS, browser_pages: 1 });
    await withRenderer({ thread, settings, isPopular: () => isPopular }, async (render) => {
      const perhaps = { visit: words, target: targetOf('http://words.example/') };
      const renderings = [render(null), render(null, perhaps), render(null)];
      for (let at = 0; at < renderings.length; at++) {
        await untilVisits(visits, at + 1);
        visits[at]?.end({ page: PAGE });
        visits[at]?.leave();
      }
      await Promise.all(renderings);
      expect(visits.map(({ order }) => order.url)).toEqual([URL_OF_SHELL, URL_OF_SHELL, 'http://words.example/']);
      isPopular = true;
      expect((await render('a', { visit: words })).status).toBe('skipped');
    });
  });

  test('is free once the browser has left the page, not when the check is answered', async () => {
    const { visits, thread } = heldBrowser();
    await withRenderer({ thread }, async (render) => {
      const renderings = ['a', 'b', 'c'].map((client) => render(client));
      await untilVisits(visits, 2);
      visits[0]?.end({ status: 'timeout', problem: '' });
      expect((await renderings[0])?.status).toBe('timeout');
      await new Promise(setImmediate);
      expect(visits.length).toBe(2);
      visits[0]?.leave();
      await untilVisits(visits, 3);
      for (const { end } of visits) end({ page: PAGE });
      expect((await Promise.all(renderings)).map(({ status }) => status)).toEqual(['timeout', 'ok', 'ok']);
    });
  });

  test('is free after a visit that could not begin', async () => {
    const { visits, thread } = heldBrowser();
    const egressClient = { openSocks: () => Promise.reject(new TypeError('no listener')) };
    await withRenderer({ thread }, async (render) => {
      for (let at = 0; at < 3; at++) await expect(render('a', { egressClient })).rejects.toThrow('no listener');
      const rendering = render('a');
      await untilVisits(visits, 1);
      visits[0]?.end({ page: PAGE });
      expect((await rendering).status).toBe('ok');
    });
  });
});
