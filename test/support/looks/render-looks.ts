import { printPicture } from '#src/engine/looks/decode-pixels.ts';
import type { PageLook } from '#src/network/probes/page-visit.ts';
import { openBrowserThread } from '#src/parts/browser/browser-thread.ts';
import { VIEWPORTS } from '#src/parts/browser/visit/visit-page.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';

/** A page to render: its markup, or the path of a file that is served with its folder. */
export type RenderedSource = { readonly html: string } | { readonly file: string };

const TOGETHER = 3;
const VISIT_MS = 10_000;

/** Shows pages in a browser, in order; null for a page that was not shown. */
export async function renderLooks(browser: string, sources: readonly RenderedSource[]): Promise<(PageLook | null)[]> {
  await using server = serve(sources);
  await using egress = openLoopback([server.port]);
  await using thread = openBrowserThread(browser, () => {});
  const looks: (PageLook | null)[] = sources.map(() => null);
  const left = [...sources.entries()];
  const order = { timeoutMs: VISIT_MS, userAgent: null, hasScripts: false, takesPicture: true };
  const renderNext = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [at, source] = next;
      using socks = await egress.client().openSocks(new AbortController().signal);
      const path = 'html' in source ? `/page/${at}` : `/file${encodeURI(source.file)}`;
      const { outcome, left: gone } = thread.visit(
        { ...order, url: `http://127.0.0.1:${server.port}${path}`, proxyPort: socks.port, viewport: VIEWPORTS.desktop },
        new AbortController().signal,
      );
      const seen = await outcome;
      await gone;
      if (!('page' in seen) || seen.page.screenshot === null) continue;
      const { boxes, screenshot } = seen.page;
      const print = await printPicture(screenshot.bytes);
      if (print !== null) looks[at] = { width: screenshot.width, height: screenshot.height, ...boxes, ...print };
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, renderNext));
  return looks;
}

function serve(sources: readonly RenderedSource[]) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url }) {
      const { pathname } = new URL(url);
      const source = sources[Number(/^\/page\/(\d+)$/.exec(pathname)?.[1])];
      if (source !== undefined && 'html' in source)
        return new Response(source.html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
      const file = Bun.file(decodeURIComponent(pathname.replace(/^\/file/, '')));
      return pathname.startsWith('/file/') && (await file.exists())
        ? new Response(file)
        : new Response('', { status: 404 });
    },
  });
  return { port: server.port ?? 0, [Symbol.asyncDispose]: () => server.stop(true) };
}
