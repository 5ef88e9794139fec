import type { CheckResult } from '#src/checks/record/check-result.ts';
import { withoutPassword } from '#src/checks/record/without-password.ts';
import { html } from '../elements/dom.ts';
import { type LoadedPlace, loadedPlace } from '../elements/loaded-later.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { preference } from '../shell/preference.ts';
import { actions } from './actions.ts';
import { reasonList } from './reasons/reason-list.ts';
import { seenBefore } from './seen-before.ts';
import { urlAnatomy } from './url-anatomy.ts';
import { certainty, verdict } from './verdict.ts';
import { cautionOf, type ShownResult, shownCoverage } from './verdict-state.ts';

/** Everything about one check: first what to do, then why, then all that was seen. */
export function resultView(
  shown: ShownResult,
  locale: Locale,
  { isHistoryPublic }: Pick<PageSettings, 'isHistoryPublic'>,
  again: () => void,
): HTMLElement {
  const result = withoutPassword(shown.result);
  const masked = { ...shown, result };
  const details = result.analysis_details;
  const analysts = analystDetails(result, locale);
  const hasWay = details.final_url !== null || details.redirects.length > 0;
  const loadWay = async () => (await import('./way-and-picture.ts')).wayAndPicture(result, locale);
  const way = loadedPlace(loadWay, locale.say);
  const filledWay = hasWay ? way.show() : undefined;
  const wholeSection = async () => {
    await Promise.all([analysts.fill(), filledWay]);
    return section;
  };
  const section: HTMLElement = html(
    'section',
    {
      class: 'result',
      'data-decision': result.decision,
      'data-coverage': shownCoverage(details),
      'data-caution': String(cautionOf(masked)),
      'aria-labelledby': 'result-title',
    },
    html(
      'div',
      { class: 'result-top' },
      html('div', {}, verdict(masked, locale), reasonList(masked, locale)),
      html(
        'div',
        {},
        // The site of a private check must not be in a request.
        certainty(masked, locale, isHistoryPublic && shown.isPrivate === false ? seenBefore(result, locale) : null),
        actions(masked, wholeSection, locale, again),
      ),
    ),
    urlAnatomy(result, locale),
    way.element,
    analysts.element,
  );
  return section;
}

const opened = preference('details');

/** Folds the details away for those who read the answer alone, and loads them once opened. They stay open for those who open them. */
function analystDetails(result: CheckResult, locale: Locale): Pick<LoadedPlace, 'element' | 'fill'> {
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
