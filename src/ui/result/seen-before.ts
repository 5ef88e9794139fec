import type { CheckResult } from '#src/record/check-result.ts';
import type { HistorySummary } from '#src/record/history-summary.ts';
import { RefusalError, requestSummary } from '../api/api.ts';
import { type Child, html, replaceChildren } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { lead } from '../elements/lead.ts';
import { literal } from '../elements/literal.ts';
import type { Locale } from '../shell/locale.ts';
import { hrefOf } from '../shell/route.ts';

/**
 * How often the site was checked publicly before this check, which the page asks the history: an answer says the same
 * whatever was asked before. Filled in once that is known; empty where the history does not tell.
 */
export function seenBefore({ analysis_details, timestamp }: CheckResult, locale: Locale): HTMLElement {
  const place = html('p', { class: 'seen' });
  const { registrable_domain, ascii } = analysis_details.host_parts;
  const site = registrable_domain ?? ascii;
  requestSummary({ domain: site, until: timestamp }, AbortSignal.timeout(PATIENCE_MS)).then(
    (summary) => replaceChildren(place, ...seenWords(summary, site, locale)),
    (error: unknown) => {
      // A history that cannot be asked, or not in time, says nothing of a link.
      if (!(error instanceof RefusalError || error instanceof DOMException)) throw error;
    },
  );
  return place;
}

/** Milliseconds after which nobody waits any more. */
const PATIENCE_MS = 10_000;

function seenWords(
  { checks, first_at, counted_back_to }: HistorySummary,
  site: string,
  { say, format }: Locale,
): Child[] {
  if (first_at === null) return filled(say('seen.none'), () => literal(site));
  const count = checks.allow + checks.warn + checks.block;
  const sentence =
    counted_back_to === null ? say.count('seen', count) : say('seen.atLeast', { count: format.number(count) });
  const words = filled(sentence, (name) => (name === 'site' ? literal(site) : format.date(first_at)));
  return [lead(hrefOf('history', { domain: site }), 'as-link', ...words)];
}
