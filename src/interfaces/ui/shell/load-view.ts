import { html, replaceChildren } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';
import type { Locale } from './locale.ts';
import type { PageSettings } from './page-settings.ts';
import type { Route } from './route.ts';

/** Context of the pages. */
export interface PageParts {
  readonly locale: Locale;
  readonly settings: PageSettings;
  /** Checks a link on the check page; privately if `isPrivate`. */
  recheck(url: string, isPrivate: boolean): void;
}

/** Loads and builds a page other than the check. Rejects if the service does not deliver it. */
export async function loadView(
  { name, link, isPrivate, filter }: Route,
  { locale, settings, recheck }: PageParts,
  leaving: AbortSignal,
): Promise<HTMLElement> {
  switch (name) {
    case 'result':
      return (await import('../result/linked-result.ts')).linkedResult(
        link ?? '',
        locale,
        { settings, isPrivate: isPrivate === true, recheck },
        leaving,
      );
    case 'report':
      return (await import('../result/feedback-form.ts')).reportView(link ?? '', locale);
    case 'history':
      return (await import('../history/history-view.ts')).historyView(locale, settings, filter, leaving);
    case 'overview':
      return (await import('../history/overview-view.ts')).overviewView(locale, settings, leaving);
    case 'console':
      return (await import('#src/parts/console-screens/console-view.ts')).consoleView(
        link ?? '',
        filter,
        locale,
        settings,
        leaving,
      );
    case 'about':
      return (await import('./about-view.ts')).aboutView(locale, leaving);
    default:
      return (await import('./help-view.ts')).helpView(locale);
  }
}

/**
 * A page within the page whose script comes from the service when it is first opened; nothing happens once `leaving` is
 * aborted. Its heading takes the focus where `takesFocus` is set.
 */
export function later(
  load: () => Promise<HTMLElement>,
  takesFocus: boolean,
  say: Speaker,
  leaving: AbortSignal,
): HTMLElement {
  const place = html('div', {}, html('p', { role: 'status', class: 'muted' }, say('history.loading')));
  load().then(
    (view) => {
      if (leaving.aborted) return;
      place.replaceWith(view);
      if (takesFocus) view.querySelector<HTMLElement>('h1')?.focus();
    },
    () => {
      if (leaving.aborted) return;
      replaceChildren(place, html('p', { class: 'complaint', role: 'alert' }, say('refusal.unreachable')));
    },
  );
  return place;
}
