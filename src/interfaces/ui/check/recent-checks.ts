import { html, replaceChildren } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import { checkLine } from './check-line.ts';
import type { QueuedCheck } from './check-queue.ts';

/** What was checked in this tab, folded away. */
export interface RecentChecks {
  readonly element: HTMLElement;
  /** Shows the checks but for those that are seen anyway. */
  show(recent: readonly QueuedCheck[], seen: readonly QueuedCheck[]): void;
}

/** Builds the list; a line calls `open`. */
export function recentChecks(locale: Locale, open: (check: QueuedCheck) => void): RecentChecks {
  const list = html('ol', { class: 'recent-list' });
  const element = html(
    'details',
    { class: 'recent', hidden: true },
    html('summary', {}, locale.say('recent.title')),
    list,
  );
  return {
    element,
    show(recent, seen) {
      const shown = recent.filter((check) => !seen.includes(check));
      element.hidden = shown.length === 0;
      replaceChildren(
        list,
        shown.map((check) => html('li', {}, checkLine(check, locale, open))),
      );
    },
  };
}
