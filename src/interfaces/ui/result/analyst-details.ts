import type { CheckResult } from '#src/checks/record/check-result.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import { preference } from '../shell/preference.ts';

/** The details of a result for analysts, folded. */
export interface AnalystDetails {
  readonly element: HTMLElement;
  /** Loads and shows what is inside. Rejects if it does not come from the service. */
  fill(): Promise<void>;
}

const opened = preference('details');

/** Folds the details away for those who read the answer alone, and loads them once opened. They stay open for those who open them. */
export function analystDetails(result: CheckResult, locale: Locale): AnalystDetails {
  const { say } = locale;
  const place = html('div', {});
  let isFilled = false;

  async function fill(): Promise<void> {
    const { analystPanels } = await import('./panels/analyst-panels.ts');
    if (isFilled) return;
    isFilled = true;
    replaceChildren(place, analystPanels(result, locale));
  }

  function show(): void {
    opened.write(element.open ? 'open' : null);
    if (element.open) fill().catch(() => replaceChildren(place, say('refusal.unreachable')));
  }

  const element = html(
    'details',
    { class: 'analysts', open: opened.read() !== null, toggle: show },
    html('summary', {}, say('result.analysts')),
    place,
  );
  return { element, fill };
}
