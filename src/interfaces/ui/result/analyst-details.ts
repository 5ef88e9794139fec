import type { CheckResult } from '#src/checks/record/check-result.ts';
import { html } from '../elements/dom.ts';
import { type LoadedPlace, loadedPlace } from '../elements/loaded-place.ts';
import type { Locale } from '../shell/locale.ts';
import { preference } from '../shell/preference.ts';

const opened = preference('details');

/** Folds the details away for those who read the answer alone, and loads them once opened. They stay open for those who open them. */
export function analystDetails(result: CheckResult, locale: Locale): Pick<LoadedPlace, 'element' | 'fill'> {
  const { say } = locale;
  const load = async () => (await import('./panels/analyst-panels.ts')).analystPanels(result, locale);
  const place = loadedPlace(load, say);

  function show(): void {
    opened.write(element.open ? 'open' : null);
    if (element.open) void place.show();
  }

  const element = html(
    'details',
    { class: 'analysts', open: opened.read() !== null, toggle: show },
    html('summary', {}, say('result.analysts')),
    place.element,
  );
  return { element, fill: place.fill };
}
