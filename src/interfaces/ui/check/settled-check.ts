import { type Child, html } from '../elements/dom.ts';
import { refusalText } from '../elements/refusal-text.ts';
import { resultView } from '../result/result-view.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import type { QueuedCheck } from './check-queue.ts';
import { targetView } from './target-view.ts';

/** What came of a check: its result, or why there is none; `again` repeats it. */
export function settledCheck(
  { result, signature, refusal, isPrivate, link, target }: QueuedCheck,
  locale: Locale,
  settings: PageSettings,
  again: () => void,
): Child {
  if (target) return targetView(target, locale);
  if (result)
    return resultView(
      { result, signature, isPrivate, mismatch: link.mismatch, isReversed: link.isReversed },
      locale,
      settings,
      again,
    );
  if (!refusal) return null;
  const text = html('p', { class: 'complaint', role: 'alert' }, refusalText(refusal, locale));
  return html('div', { class: 'card refusal' }, text);
}
