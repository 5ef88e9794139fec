import { FailureError } from '#src/core/base/failure.ts';
import { readUrl } from '#src/core/url/read-url.ts';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget, type Target } from '#src/core/url/target.ts';
import { type Hop, redirectLocation } from '#src/network/egress/http/hop.ts';
import { parseRefresh } from '#src/network/html/addresses.ts';
import type { PageDocument, PageRefresh } from '#src/network/html/document.ts';
import { contentOf } from '#src/network/html/shown-content.ts';
import type { FollowedWay, PageVisit, VisitExit } from '../page-visit.ts';

/**
 * Chromium ignores longer delays: its limit is the largest `int` in milliseconds (`HttpRefreshScheduler::Schedule`).
 */
const MAX_REFRESH_SECONDS = 2_147_483;

/** Maximum number of distinct refresh URLs of a page, its own included; each costs as much as a checked URL. */
const MAX_REFRESH_TARGETS = 8;

/** Returns the target of an HTTP redirect; a failure if it is not a web URL, null if there is none. */
export function redirectTarget(from: Target, hop: Hop): Target | FailureError | null {
  const location = redirectLocation(hop);
  return location === null ? null : resolve(from, fromLatin1(location));
}

/**
 * Returns the targets of a page's `Refresh` header and `meta` elements, regardless of delay: the shortest delay first,
 * and of equal ones the last, which Chromium follows. Empty if the page stays.
 *
 * @param mayReload true if the page itself counts as a target: its answer set a cookie, so that it may answer
 * differently
 */
export function refreshTargets(
  from: Target,
  { headers }: Pick<Hop, 'headers'>,
  document: PageDocument | null,
  mayReload = false,
): (Target | FailureError)[] {
  // CSP `sandbox` applies to the page only: Chromium follows the header anyway.
  const header = parseRefresh(fromLatin1(headers.get('refresh') ?? ''));
  const orders = [
    ...(header ? [{ delaySeconds: header.delaySeconds, url: header.target || from.url }] : []),
    ...(document?.refreshes ?? []).filter(({ followed = true }) => followed === true),
  ]
    .filter(isHonoured)
    .toReversed()
    .toSorted((a, b) => a.delaySeconds - b.delaySeconds);
  const found: (Target | FailureError)[] = [];
  const places = new Set<string>();
  for (const { url } of orders) {
    const place = url.split('#', 1)[0] ?? '';
    if (places.has(place)) continue;
    if (places.size === MAX_REFRESH_TARGETS) {
      // A browser follows the earlier ones first.
      return found.length > 0
        ? found
        : [new FailureError('redirect_invalid', 'the page redirects to itself too often')];
    }
    places.add(place);
    const next = resolve(from, url);
    // A page that reloads itself does not redirect.
    if (next instanceof FailureError || mayReload || next.requestUrl !== from.requestUrl) found.push(next);
  }
  return found;
}

interface Refresh {
  readonly delaySeconds: number;
  readonly url: string;
}

function isHonoured(order: { readonly delaySeconds: number | null; readonly url: string | null }): order is Refresh {
  const { delaySeconds, url } = order;
  return url !== null && url !== '' && delaySeconds !== null && delaySeconds <= MAX_REFRESH_SECONDS;
}

/** Longer references would take the URL parser milliseconds and yield a URL that is too long to check. */
const MAX_REFERENCE_LENGTH = 2 * MAX_URL_LENGTH;

function resolve(from: Target, reference: string): Target | FailureError {
  if (reference.length > MAX_REFERENCE_LENGTH) return new FailureError('redirect_invalid', 'the redirect is too long');
  const absolute = readUrl(reference, from.requestUrl);
  if (!absolute) return new FailureError('redirect_invalid', 'the redirect is not a URL');
  const target = parseTarget(absolute.href);
  return isTargetProblem(target) ? new FailureError('redirect_invalid', `the redirect ${target.message}`) : target;
}

/** Decodes a header value, which arrives as Latin-1, as UTF-8 if it is valid, as browsers do for URLs. */
function fromLatin1(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

/** A URL to which a visit may go on. */
export interface WayOn {
  readonly how: FollowedWay;
  /** A failure if the answer names a target that is no web address. */
  readonly to: Target | FailureError;
}

/** Ways and exits of an answer. */
export interface WaysOn {
  /** Ways that a visit follows, in the order in which it tries them. */
  readonly followed: readonly WayOn[];
  /** All other URLs, which are only named; those of `followed` that a page names are among them. */
  readonly exits: readonly VisitExit[];
}

/**
 * Returns the next URLs of a visit: by status, or else by refreshes of the page, or else by scripts, forms and frames
 * that act without the visitor.
 *
 * Scripts and forms are followed only within the page's site, so that a visit contacts no site that the link does not
 * lead to. Nothing is posted.
 *
 * @param hasNewCookies true if the answer set a cookie that the request did not have
 */
export function waysOn(from: Target, hop: Hop, { document }: PageVisit, hasNewCookies: boolean): WaysOn {
  const redirected = redirectTarget(from, hop);
  if (redirected) return { followed: [{ how: 'http', to: redirected }], exits: exitsOf(document, []) };
  const mayReload = hasNewCookies && (document === null || contentOf(document).isBare);
  const [refreshed, ...later] = refreshTargets(from, hop, document, mayReload);
  const exits = exitsOf(document, later);
  if (refreshed) return { followed: [{ how: 'refresh', to: refreshed }], exits };
  const reloads: WayOn[] = mayReload && document?.scripts.reloads ? [{ how: 'script', to: from }] : [];
  return { followed: [...reloads, ...exits.flatMap((exit) => asWay(exit, from))], exits };
}

/** Returns the URLs to which a page leads; `refreshes` are targets of its refreshes that are not followed. */
export function exitsOf(document: PageDocument | null, refreshes: readonly (Target | FailureError)[]): VisitExit[] {
  const possible = document?.refreshes?.flatMap(asPossibleExit) ?? [];
  return [...refreshes.flatMap(asExit), ...possible, ...(document?.exits ?? [])];
}

function asWay({ how, url, posts }: VisitExit, from: Target): WayOn[] {
  if (how === 'link' || how === 'refresh' || posts) return [];
  const to = parseTarget(url);
  if (isTargetProblem(to) || to.requestUrl === from.requestUrl) return [];
  return how === 'frame' || to.host.site === from.host.site ? [{ how, to }] : [];
}

function asExit(next: Target | FailureError): VisitExit[] {
  return next instanceof FailureError ? [] : [{ how: 'refresh', url: next.url }];
}

/** A refresh that only a script may write is an exit of that script, because a browser may never see it. */
function asPossibleExit({ followed, url }: PageRefresh): VisitExit[] {
  return followed === null && url !== null && /^https?:/.test(url) ? [{ how: 'script', url }] : [];
}
