import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { HistorySummary } from '#src/checks/record/history-page.ts';
import { RefusalError, requestSummary } from '../api/api.ts';
import { type Child, html, replaceChildren } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { lead } from '../elements/lead.ts';
import { literal } from '../elements/literal.ts';
import type { Locale } from '../shell/locale.ts';
import { hrefOf } from '../shell/route.ts';
import { shownHost } from './shown-host.ts';

/**
 * Shows how often the site was checked publicly before this check, and with which verdicts, from the history. It is
 * filled in once the history has answered; empty if it does not answer.
 */
export function seenBefore(result: CheckResult, locale: Locale): HTMLElement {
  const { analysis_details, timestamp } = result;
  const words = html('p', {});
  const place = html('div', { class: 'seen' }, words);
  const { registrable_domain, ascii } = analysis_details.host_parts;
  const site = registrable_domain ?? ascii;
  fillIn().catch((error: unknown) => {
    // A history that cannot be asked, or not in time, says nothing of a link.
    if (!(error instanceof RefusalError || error instanceof DOMException)) throw error;
  });
  return place;

  async function fillIn(): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const summary = await requestSummary({ domain: site, until: timestamp }, signal);
    replaceChildren(words, ...seenWords(summary, site, shownHost(analysis_details)(site), locale));
    if (summary.first_at === null) return;
    const { earlierVerdicts } = await import('./earlier-verdicts.ts');
    replaceChildren(place, words, await earlierVerdicts(result, site, locale, signal));
  }
}

/** Timeout of the request, in milliseconds. */
const PATIENCE_MS = 10_000;

function seenWords(
  { checks, first_at, counted_back_to }: HistorySummary,
  site: string,
  shown: string,
  { say, format }: Locale,
): Child[] {
  if (first_at === null) return filled(say('seen.none'), () => literal(shown));
  const count = checks.allow + checks.warn + checks.block;
  const sentence =
    counted_back_to === null ? say.count('seen', count) : say('seen.atLeast', { count: format.number(count) });
  const words = filled(sentence, (name) => (name === 'site' ? literal(shown) : format.date(first_at)));
  return [lead(hrefOf('history', { domain: site }), 'as-link', ...words)];
}
