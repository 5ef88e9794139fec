import { leadsOnUnread } from '#src/engine/analyzers/unfollowed.ts';
import type { Coverage } from '#src/engine/fusion/assessment.ts';
import { isReadToEnd } from '#src/network/html/document.ts';
import { contentOf } from '#src/network/html/shown-content.ts';
import type { Observations } from '#src/network/probes/observations.ts';

/**
 * Returns how much of what a person would see the verdict is based on; the one definition of
 * `analysis_details.coverage`. DNS, registration and certificate do not count.
 *
 * @param isStandIn true if another page answered instead of the one to which the link leads.
 */
export function coverageOf({ page }: Pick<Observations, 'page'>, isStandIn: boolean): Coverage {
  if (page.state !== 'observed' || isStandIn) return 'url_only';
  const { document, statusCode, stopped, truncated, passed } = page.value;
  if (document === null || isErrorStatus(statusCode)) return 'url_only';
  const isCut = stopped !== null || truncated || !isReadToEnd(document) || contentOf(document).unread !== null;
  return isCut || [...passed, page.value].some(leadsOnUnread) ? 'partial' : 'full';
}

/** An error page describes the request and is not the page that the link is meant to show. */
function isErrorStatus(statusCode: number): boolean {
  return statusCode >= 400;
}
