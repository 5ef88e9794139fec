import type { Locale } from '../shell/locale.ts';
import type { ShownResult } from './shown-result.ts';
import { labelled, summaryOf } from './summary.ts';

/** What an analyst puts into a ticket: the verdict, the link so that nobody clicks on it, the reasons, the time in UTC, the id. */
export function ticketText(shown: ShownResult, locale: Locale): string {
  const { verdict, url, leadsTo, notes, reasons, checked } = summaryOf(shown, locale);
  return [
    labelled(locale, 'history.decision', verdict),
    labelled(locale, 'component.url', url),
    ...(leadsTo === null ? [] : [labelled(locale, 'result.leadsTo', leadsTo)]),
    ...notes,
    labelled(locale, 'result.reasons', '').trimEnd(),
    ...reasons.map((reason) => `- ${reason}`),
    checked,
    labelled(locale, 'meta.id', shown.result.request_id),
  ].join('\n');
}
