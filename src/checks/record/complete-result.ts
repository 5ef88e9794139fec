import type { Coverage } from '#src/engine/fusion/assessment.ts';
import type { AnalysisDetails } from './check-result.ts';
import type { UnexplainedResult } from './reasons/args.ts';
import { needsCaution } from './reasons/caution.ts';

type Details = UnexplainedResult['analysis_details'];
type Redirect = AnalysisDetails['redirects'][number];

/** The members of a redirect that version 1 of packed records has. */
type FirstRedirect = Pick<Redirect, 'url' | 'status' | 'location' | 'address'> & Partial<Redirect>;

/** A result as version 1 of packed records has it. */
export interface FirstResult extends Omit<UnexplainedResult, 'analysis_details'> {
  readonly analysis_details: Omit<Details, 'coverage' | 'caution' | 'redirects'> &
    Partial<Pick<Details, 'coverage' | 'caution'>> & { readonly redirects: readonly FirstRedirect[] };
}

/**
 * Adds what a stored result of version 1 lacks. Coverage and caution are derived from what the record says; the score of
 * what a redirect led to is unknown, and null. The members stand in their order.
 */
export function completeResult(result: FirstResult): UnexplainedResult {
  const { analysis_details: details } = result;
  if (details.coverage !== undefined && details.caution !== undefined) return result as UnexplainedResult;
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

/** Reasons of a page that was not read whole. */
const NOT_WHOLE = new Set(['page.not_seen_whole', 'page.padded', 'page.too_little_read']);

function coverageIn({ html_available, status_code, reasons }: FirstResult['analysis_details']): Coverage {
  if (!html_available || status_code >= 400) return 'url_only';
  return reasons.some(({ code }) => NOT_WHOLE.has(code)) ? 'partial' : 'full';
}
