import { createHash } from 'node:crypto';
import type { RendererFor } from '#src/app/engine.ts';
import { type ClientName, createFairQueue } from '#src/checks/check/admission.ts';
import { FailureError } from '#src/core/base/failure.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { coverageOf } from '#src/engine/assess/unseen-evidence.ts';
import { printPicture } from '#src/engine/looks/decode-pixels.ts';
import { asksForSecret, isTransformed, type PageDocument } from '#src/network/html/document.ts';
import { notRendered, type RenderStatus } from '#src/network/probes/observations.ts';
import type { PageLook, PageVisit, RedirectHop, VisitExit } from '#src/network/probes/page-visit.ts';
import type { Rendering, RenderSubject } from '#src/network/probes/rendering.ts';
import { recordedHeaders } from '#src/network/probes/visit/read-hop.ts';
import { exitsOf } from '#src/network/probes/visit/ways-on.ts';
import type { BrowserThread } from './browser-thread.ts';
import type { BrowserSettings } from './settings.ts';
import type { RenderedDocument, RenderedHop, RenderedPage, Screenshot } from './visit/rendered-page.ts';
import { VIEWPORTS, type Viewport } from './visit/visit-page.ts';

/** Result of a browser, with its documents parsed. */
interface ReadRendering {
  readonly page: RenderedPage;
  /** Null if the browser shows no document of the site. */
  readonly document: PageDocument | null;
  readonly frames: readonly PageDocument[];
  /** The page as it was before; null if nothing of it was lost. */
  readonly earlier: PageDocument | null;
  /** Null if no picture was taken. */
  readonly look?: PageLook | null;
  /** True if a part of the page is missing: its budget was spent, or it did not load in time. */
  readonly isCut: boolean;
  /** Returns the address that a URL was fetched from; null if the egress client did not connect to its host. */
  readonly addressOf: (url: string) => string | null;
}

/**
 * Returns a visit with what a browser saw: its page is the landing page, each of its navigations a step, and the page
 * that was fetched without scripts one of those that visitors pass. Evidence of neither is lost.
 */
export function mergeVisit(visit: PageVisit, rendering: ReadRendering): PageVisit {
  const { page, document, frames, earlier, look, isCut, addressOf } = rendering;
  const redirects = [...visit.redirects, ...newHops(visit, page.hops, addressOf)];
  const finalUrl = canonical(page.finalUrl);
  const before = { ...visit, redirects: [], passed: [] };
  const hasPage = visit.document !== null && visit.statusCode < 400;
  if (document === null) {
    // The browser was sent on to what it cannot show: the page that was fetched is where the visit ends.
    const isElsewhere = finalUrl !== visit.finalUrl;
    const stopped = isElsewhere ? new FailureError('unreachable', 'the browser shows no page').failure : null;
    return { ...visit, redirects, stopped: visit.stopped ?? stopped };
  }
  const seen = new Set(
    [finalUrl, ...page.frameUrls, ...page.hops.flatMap(({ url, location }) => [url, location])].map(canonical),
  );
  const isUnseen = ({ url, posts }: VisitExit) => posts || !seen.has(canonical(url));
  const passedAs = (one: PageDocument): PageVisit => ({
    ...{ ...before, ...FOUND },
    finalUrl: canonical(one.url),
    document: one,
  });
  const ofFrames = frames.map(passedAs);
  const stopped = isTransformed(document) ? new FailureError('content_unread').failure : null;
  return {
    redirects: [...redirects, ...ofFrames.map((frame) => frameHop(finalUrl, frame.finalUrl, page, addressOf))],
    passed: [
      ...visit.passed,
      ...(hasPage ? [{ ...before, exits: [] }] : []),
      ...(earlier === null ? [] : [passedAs(earlier)]),
      ...ofFrames,
    ],
    exits: [...visit.exits, ...exitsOf(document, [])].filter(isUnseen).filter(isFirst),
    finalUrl,
    statusCode: page.statusCode,
    contentLength: page.document?.markup.length ?? 0,
    truncated: isCut,
    headers: recordedHeaders((name) => page.headers[name]),
    document: stopped === null ? document : null,
    stopped,
    ...(look && { look }),
  };
}

/** Members of the visit of a document in a frame. */
const FOUND = { exits: [], statusCode: 200, truncated: false, headers: {}, stopped: null };

function isFirst({ how, url }: VisitExit, at: number, all: readonly VisitExit[]): boolean {
  return all.findIndex((other) => other.how === how && other.url === url) === at;
}

/** Steps that the visit without scripts did not take. */
function newHops(visit: PageVisit, hops: readonly RenderedHop[], addressOf: ReadRendering['addressOf']): RedirectHop[] {
  const known = new Set(visit.redirects.map(({ url, location }) => `${url}\n${location}`));
  return hops.flatMap(({ url: from, location: to, status, how }) => {
    const [url, location] = [canonical(from), canonical(to)];
    const key = `${url}\n${location}`;
    if (known.has(key)) return [];
    known.add(key);
    return [{ url, status, location, how, address: addressOf(from) ?? '' }];
  });
}

function frameHop(
  url: string,
  location: string,
  page: RenderedPage,
  addressOf: ReadRendering['addressOf'],
): RedirectHop {
  return { url, status: page.statusCode, location, how: 'frame', address: addressOf(page.finalUrl) ?? '' };
}

/** Returns a URL in the form that all visits have. */
function canonical(url: string): string {
  const target = parseTarget(url);
  return isTargetProblem(target) ? url : target.url;
}

/** Values of `browser_when`. */
type BrowserWhen = 'unseen' | 'always' | 'never';

/** Statuses of an answer that no browser makes a page of. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 410]);

/**
 * Returns if a browser may see more than a visit without scripts saw. `yes`: the page was not seen in full, or it leads to
 * what was not fetched, or it asks for secrets and has scripts, or its look is to be compared. `maybe`: it has scripts that were not read, as most pages
 * have, which can replace all of it.
 */
export function isBrowserNeeded(when: BrowserWhen, visit: PageVisit, hasLooks = false): 'yes' | 'maybe' | 'no' {
  if (when !== 'unseen') return when === 'always' ? 'yes' : 'no';
  const { document, statusCode, exits, stopped } = visit;
  if (NOT_THERE.has(statusCode)) return 'no';
  // A file: a browser saves it.
  if (document === null && statusCode < 400 && stopped === null) return 'no';
  if (coverageOf({ page: { state: 'observed', value: visit, elapsedMs: 0 } }, false) !== 'full') return 'yes';
  if (exits.some(({ how }) => how !== 'link')) return 'yes';
  const { inlineCount = 0, externalCount = 0 } = document?.scripts ?? {};
  const isDoubtful = hasLooks || inlineCount + externalCount > 0;
  if (document !== null && isDoubtful && asksForSecret(document)) return 'yes';
  return externalCount > 0 ? 'maybe' : 'no';
}

/** Dependencies of {@link createRenderer}. */
export interface RendererParts {
  readonly thread: Pick<BrowserThread, 'visit'>;
  readonly settings: () => Pick<BrowserSettings, 'browser_when' | 'browser_private' | 'browser_pages'>;
  /** Returns true if many people visit a site. */
  readonly isPopular: (target: Target) => boolean;
  /** The operator's identification instead of a browser's; null to imitate a browser. */
  readonly userAgent: string | null;
  /** Window of visits for which the check names none. */
  readonly viewport: Viewport;
  /** True if pages are compared with looks. */
  readonly hasLooks: () => boolean;
  /** Takes a picture of each page; null to keep none. */
  readonly keepPicture: ((visibility: Visibility, sha256: string, picture: Screenshot) => void) | null;
}

/** A visit that cannot have this long, in milliseconds, sees nothing. */
const LEAST_MS = 1500;

/** Maximum time for which a client's page waits for a place that may not need one, in milliseconds. */
const MAYBE_WAIT_MS = 1000;

type Observed = Parameters<RendererFor>[0];
type Need = Exclude<ReturnType<typeof isBrowserNeeded>, 'no'>;

/** Creates the function that visits pages with a browser, at most `browser_pages` at a time and clients in turn. */
export function createRenderer(parts: RendererParts): RendererFor {
  const { thread, settings, isPopular, userAgent, viewport, hasLooks, keepPicture } = parts;
  const takePlace = createPlaces(() => settings().browser_pages);
  return (check) => async (subject) => {
    if (isExcluded(check)) return unchanged(subject, 'disabled');
    const need = check.screenshot === undefined ? needOf(subject.visit) : 'yes';
    return need === 'no' ? unchanged(subject, 'skipped') : await renderInPlace(check, subject, need);
  };

  async function renderInPlace(check: Observed, subject: RenderSubject, need: Need): Promise<Rendering> {
    const { client, visibility, screenshot } = check;
    const startMs = performance.now();
    const secondsNow = () => (performance.now() - startMs) / 1000;
    const place = await takePlace(need, client, subject.timeoutMs - LEAST_MS);
    if (place === null) return unchanged(subject, 'overloaded', secondsNow());
    const timeoutMs = subject.timeoutMs - secondsNow() * 1000;
    const window = screenshot === undefined ? viewport : VIEWPORTS[screenshot];
    try {
      return await renderWithin(subject, { timeoutMs, place, visibility, window });
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      return unchanged(subject, error.code === 'timeout' ? 'timeout' : 'error', secondsNow());
    }
  }

  function isExcluded({ client, visibility }: Observed): boolean {
    const { browser_when: when, browser_private: isForPrivate } = settings();
    return when === 'never' || (visibility === 'private' && client !== null && !isForPrivate);
  }

  function needOf(visit: PageVisit): Need | 'no' {
    const need = isBrowserNeeded(settings().browser_when, visit, hasLooks());
    if (need !== 'maybe') return need;
    const landing = parseTarget(visit.finalUrl);
    return !isTargetProblem(landing) && isPopular(landing) ? 'no' : need;
  }

  /** Visits a page, and leaves the place once the browser has left the page. */
  async function renderWithin(
    subject: RenderSubject,
    { timeoutMs, place, visibility, window }: VisitPlan,
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
      viewport: window,
      takesPicture: keepPicture !== null || hasLooks(),
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
    const [document, earlier, ...frames] = await Promise.all([
      page.document && read(page.document),
      page.earlier && read(page.earlier),
      ...page.frames.map(read),
    ]);
    const addressOf = (url: string) => {
      const { hostname = '', port = '', protocol } = URL.parse(url) ?? {};
      return socks.addressOf(hostname.replace(/^\[|\]$/g, ''), Number(port) || (protocol === 'http:' ? 80 : 443));
    };
    const isCut = isSpent || !page.hasLoaded || page.isCut;
    const look = await lookOf(page);
    const merged = mergeVisit(visit, {
      page,
      document: document ?? null,
      earlier: earlier ?? null,
      frames: frames.filter((one) => one !== null),
      look,
      isCut,
      addressOf,
    });
    const { finalUrl, requests, screenshot } = page;
    const picture = keepPicture &&
      screenshot && {
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

/** Null without a picture. */
async function lookOf({ screenshot, boxes }: RenderedPage): Promise<PageLook | null> {
  const print = screenshot && (await printPicture(screenshot.bytes));
  return print && { width: screenshot.width, height: screenshot.height, ...boxes, ...print };
}

function unchanged({ visit }: RenderSubject, status: RenderStatus, seconds?: number): Rendering {
  return { visit, report: notRendered(status, seconds) };
}

/** Frame of one visit. */
interface VisitPlan {
  readonly timeoutMs: number;
  readonly place: Disposable;
  readonly visibility: Visibility;
  readonly window: Viewport;
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
type TakePlace = (need: Need, client: ClientName, waitMs: number) => Promise<Disposable | null>;

/** Pages that may need a browser wait until no page waits that needs one. */
function createPlaces(places: () => number): TakePlace {
  const ofAll = places();
  const create = () => createFairQueue<(taken: boolean) => void>({ ofAll, ofOne: ofAll, spare: 0 });
  const queues: Readonly<Record<Need, ReturnType<typeof create>>> = { yes: create(), maybe: create() };
  const place = (need: Need, client: ClientName): Disposable => ({
    [Symbol.dispose]() {
      queues[need].leave(client);
      (queues.yes.next() ?? queues.maybe.next())?.one(true);
    },
  });
  return async (need, client, waitMs) => {
    if (waitMs <= 0) return null;
    const queue = queues[need];
    const isFree = queues.yes.inside + queues.maybe.inside < ofAll;
    if (isFree && queue.tryEnter(client)) return place(need, client);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    queue.wait(client, resolve);
    const mostMs = need === 'maybe' && client !== null ? MAYBE_WAIT_MS : Infinity;
    const timer = setTimeout(
      () => {
        queue.forget(client, resolve);
        resolve(false);
      },
      Math.min(waitMs, mostMs),
    );
    const isTaken = await promise;
    clearTimeout(timer);
    return isTaken ? place(need, client) : null;
  };
}
