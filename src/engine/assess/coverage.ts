import type { JudgedPage } from '#src/engine/analyzers/page.ts';
import type { Coverage } from '#src/engine/fusion/assessment.ts';
import { isReadToEnd } from '#src/network/html/document.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';

/**
 * Returns how much of the page stands behind a verdict; the one definition of `analysis_details.coverage`. DNS, registration
 * and certificate have no part in it.
 *
 * @param landing the page as judged; null if none was read.
 */
export function coverageOf({ page }: Pick<Observations, 'page'>, landing: JudgedPage | null): Coverage {
  return page.state !== 'observed' || landing?.isStandIn ? 'url_only' : coverageOfVisit(page.value);
}

function coverageOfVisit({ document, statusCode, stopped, truncated }: PageVisit): Coverage {
  if (document === null || isErrorStatus(statusCode)) return 'url_only';
  const isCut = stopped !== null || truncated || !isReadToEnd(document);
  return isCut ? 'partial' : 'full';
}

/** An error page is about the request; it is not the page that the link is meant to show. */
function isErrorStatus(statusCode: number): boolean {
  return statusCode >= 400;
}
