import { FailureError } from '#src/core/base/failure.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Hop } from '#src/network/egress/http/hop.ts';
import type { PageDocument, PageRefresh } from '#src/network/html/document.ts';
import { contentOf } from '#src/network/html/shown-content.ts';
import type { FollowedWay, PageVisit, VisitExit } from '../page-visit.ts';
import { redirectTarget, refreshTargets } from './redirect.ts';

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
