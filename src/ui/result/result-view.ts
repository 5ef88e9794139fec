import { html } from '../dom.ts';
import type { Locale } from '../locale.ts';
import { reasonList } from './reason-list.ts';
import type { ShownResult } from './shown-result.ts';
import { verdict } from './verdict.ts';

/** Everything about one check: first what to do, then why, then all that was seen. */
export function resultView(shown: ShownResult, locale: Locale, _again: () => void): HTMLElement {
  const { result } = shown;
  return html(
    'section',
    { class: 'result', 'data-decision': result.decision, 'aria-labelledby': 'result-title' },
    verdict(shown, locale),
    reasonList(result.analysis_details, locale),
  );
}
