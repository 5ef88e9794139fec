import type { CheckResult } from '#src/record/check-result.ts';
import type { HistorySummary } from '#src/record/history-summary.ts';
import { RefusalError, requestSummary } from '../api/api.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { foreign } from '../elements/foreign.ts';
import { lead } from '../elements/lead.ts';
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
    (summary) => replaceChildren(place, seenWords(summary, site, locale)),
    (error: unknown) => {
      // A history that cannot be asked, or not in time, says nothing of a link.
      if (!(error instanceof RefusalError || error instanceof DOMException)) throw error;
    },
  );
  return place;
}

/** Milliseconds after which nobody waits any more. */
const PATIENCE_MS = 10_000;

function seenWords({ checks, first_at, counted_back_to }: HistorySummary, site: string, { say, format }: Locale) {
  const count = checks.allow + checks.warn + checks.block;
  if (first_at === null) return foreign(say('seen.none', { site }));
  const values = { site, date: format.date(first_at) };
  const words =
    counted_back_to === null
      ? say.count('seen', count, values)
      : say('seen.atLeast', { ...values, count: format.number(count) });
  return lead(hrefOf('history', { domain: site }), 'as-link', foreign(words));
}
