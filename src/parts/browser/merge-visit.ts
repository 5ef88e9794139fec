import { FailureError } from '#src/core/base/failure.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { isTransformed, type PageDocument } from '#src/network/html/document.ts';
import type { PageLook, PageVisit, RedirectHop, VisitExit } from '#src/network/probes/page-visit.ts';
import { recordedHeaders } from '#src/network/probes/visit/read-hop.ts';
import { exitsOf } from '#src/network/probes/visit/ways-on.ts';
import type { RenderedHop, RenderedPage } from './visit/rendered-page.ts';

/** Result of a browser, with its documents parsed. */
export interface ReadRendering {
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
