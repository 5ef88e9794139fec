import { createHash } from 'node:crypto';
import type { RendererFor } from '#src/app/engine.ts';
import { type ClientName, createFairQueue } from '#src/checks/check/fair-queue.ts';
import { FailureError } from '#src/core/base/failure.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { notRendered } from '#src/network/probes/render-report.ts';
import type { Rendering, RenderSubject } from '#src/network/probes/rendering.ts';
import type { BrowserThread } from './browser-thread.ts';
import { isBrowserNeeded } from './is-needed.ts';
import { mergeVisit } from './merge-visit.ts';
import type { BrowserSettings } from './settings.ts';
import type { RenderedDocument, Screenshot } from './visit/rendered-page.ts';
import type { Viewport } from './visit/visit-page.ts';

/** Dependencies of {@link createRenderer}. */
export interface RendererParts {
  readonly thread: Pick<BrowserThread, 'visit'>;
  readonly settings: () => Pick<BrowserSettings, 'browser_when' | 'browser_private' | 'browser_pages'>;
  /** The operator's identification instead of a browser's; null to imitate a browser. */
  readonly userAgent: string | null;
  /** Window of the visits. */
  readonly viewport: Viewport;
  /** Takes a picture of each page; null to take none. */
  readonly keepPicture: ((visibility: Visibility, sha256: string, picture: Screenshot) => void) | null;
}

/** A visit that cannot have this long, in milliseconds, sees nothing. */
const LEAST_MS = 1500;

/** Creates the function that visits pages with a browser, at most `browser_pages` at a time and clients in turn. */
export function createRenderer({ thread, settings, userAgent, viewport, keepPicture }: RendererParts): RendererFor {
  const takePlace = createPlaces(() => settings().browser_pages);
  return ({ client, visibility }) =>
    async (subject) => {
      const { browser_when: when, browser_private: isForPrivate } = settings();
      const { visit } = subject;
      const unchanged = (status: Parameters<typeof notRendered>[0], seconds?: number): Rendering => ({
        visit,
        report: notRendered(status, seconds),
      });
      const isExcluded = visibility === 'private' && client !== null && !isForPrivate;
      if (when === 'never' || isExcluded) return unchanged('disabled');
      if (!isBrowserNeeded(when, visit)) return unchanged('skipped');
      const startMs = performance.now();
      const secondsNow = () => (performance.now() - startMs) / 1000;
      const place = await takePlace(client, subject.timeoutMs - LEAST_MS);
      if (place === null) return unchanged('overloaded', secondsNow());
      const timeoutMs = subject.timeoutMs - secondsNow() * 1000;
      try {
        return await renderWithin(subject, { timeoutMs, place, visibility });
      } catch (error) {
        if (error instanceof FailureError)
          return unchanged(error.code === 'timeout' ? 'timeout' : 'error', secondsNow());
        throw error;
      }
    };

  /** Visits a page, and leaves the place once the browser has left the page. */
  async function renderWithin(
    subject: RenderSubject,
    { timeoutMs, place, visibility }: { timeoutMs: number; place: Disposable; visibility: Visibility },
  ): Promise<Rendering> {
    const { target, visit, egressClient, readPage, signal } = subject;
    const startMs = performance.now();
    using leaving = new DisposableStack();
    leaving.use(place);
    using socks = await egressClient.openSocks(signal);
    const order = {
      url: target.requestUrl,
      proxyPort: socks.port,
      timeoutMs,
      userAgent,
      viewport,
      takesPicture: keepPicture !== null,
      hasScripts: hasScripts(visit),
    };
    const { outcome: ending, left } = thread.visit(order, signal);
    const held = leaving.move();
    void left.then(() => held.dispose());
    const outcome = await ending;
    const { refused, isSpent } = socks.report();
    const counts = { refused, seconds: (performance.now() - startMs) / 1000 };
    if (!('page' in outcome)) return { visit, report: { ...notRendered(outcome.status), ...counts } };
    const { page } = outcome;
    const read = (one: RenderedDocument): Promise<PageDocument> =>
      readPage(one.markup, { contentType: 'text/html; charset=utf-8', url: one.url }, signal);
    const [document, ...frames] = await Promise.all([page.document && read(page.document), ...page.frames.map(read)]);
    const addressOf = (url: string) => {
      const { hostname = '', port = '', protocol } = URL.parse(url) ?? {};
      return socks.addressOf(hostname.replace(/^\[|\]$/g, ''), Number(port) || (protocol === 'http:' ? 80 : 443));
    };
    const isCut = isSpent || !page.hasLoaded || page.isCut;
    const merged = mergeVisit(visit, {
      page,
      document: document ?? null,
      frames: frames.filter((one) => one !== null),
      isCut,
      addressOf,
    });
    const { finalUrl, requests, screenshot } = page;
    const picture = screenshot && {
      sha256: hashOf(screenshot.bytes),
      width: screenshot.width,
      height: screenshot.height,
    };
    if (screenshot && picture) keepPicture?.(visibility, picture.sha256, screenshot);
    return {
      visit: merged,
      report: { status: document === null ? 'error' : 'ok', finalUrl, requests, ...counts, screenshot: picture },
    };
  }
}

/** A page that was not read may have scripts. */
function hasScripts({ document }: PageVisit): boolean {
  const { inlineCount, externalCount = 0 } = document?.scripts ?? { inlineCount: 1 };
  return inlineCount + externalCount + (document?.counts.handlers ?? 0) > 0;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Waits for a place, for a client in its turn; null if none is free in time. */
type TakePlace = (client: ClientName, waitMs: number) => Promise<Disposable | null>;

function createPlaces(places: () => number): TakePlace {
  const ofAll = places();
  const queue = createFairQueue<(taken: boolean) => void>({ ofAll, ofOne: ofAll, spare: 0 });
  const place = (client: ClientName): Disposable => ({
    [Symbol.dispose]() {
      queue.leave(client);
      queue.next()?.one(true);
    },
  });
  return async (client, waitMs) => {
    if (waitMs <= 0) return null;
    if (queue.tryEnter(client)) return place(client);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    queue.wait(client, resolve);
    const timer = setTimeout(() => {
      queue.forget(client, resolve);
      resolve(false);
    }, waitMs);
    const isTaken = await promise;
    clearTimeout(timer);
    return isTaken ? place(client) : null;
  };
}
