import type { Coverage } from '#src/engine/fusion/fuse.ts';
import type { AnalysisDetails } from './check-result.ts';
import { needsCaution } from './reasons/caution.ts';
import type { StoredResult } from './stored-result.ts';

type Details = StoredResult['analysis_details'];
type Redirect = AnalysisDetails['redirects'][number];

/** A redirect in version 1 of packed records. */
type FirstRedirect = Pick<Redirect, 'url' | 'status' | 'location' | 'address'> & Partial<Redirect>;

/** A result in version 1 of packed records. */
export interface FirstResult extends Omit<StoredResult, 'analysis_details'> {
  readonly analysis_details: Omit<Details, 'coverage' | 'caution' | 'redirects'> &
    Partial<Pick<Details, 'coverage' | 'caution'>> & { readonly redirects: readonly FirstRedirect[] };
}

/**
 * Completes a stored result of version 1. Coverage and caution are derived from the record; the score of a redirect's
 * target is unknown, and null. Members keep their order.
 */
export function completeResult(result: FirstResult): StoredResult {
  const { analysis_details: details } = result;
  if (details.coverage !== undefined && details.caution !== undefined) return result as StoredResult;
  const { probability, ...rest } = details;
  const coverage = details.coverage ?? coverageIn(details);
  const caution = details.caution ?? needsCaution(result);
  const redirects = details.redirects.map(completeRedirect);
  return { ...result, analysis_details: { probability, coverage, caution, ...rest, redirects } };
}

function completeRedirect(redirect: FirstRedirect): Redirect {
  const { status } = redirect;
  const how = status !== null && status >= 300 && status < 400 ? 'http' : 'refresh';
  return { ...redirect, how, followed: true, malicious_probability: null, decision: null };
}

/** Reasons for a page that was not read completely. */
const INCOMPLETE = new Set(['page.not_seen_whole', 'page.padded', 'page.too_little_read']);

function coverageIn({ html_available, status_code, reasons }: FirstResult['analysis_details']): Coverage {
  if (!html_available || status_code >= 400) return 'url_only';
  return reasons.some(({ code }) => INCOMPLETE.has(code)) ? 'partial' : 'full';
}
