import { html, replaceChildren } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { shownUrl } from '../elements/shown-url.ts';
import type { Locale } from '../shell/locale.ts';
import type { QueuedCheck } from './check-queue.ts';

/** Container of results, which is folded and greyed once they do not belong to the content of the text box. */
export interface ResultsFold {
  readonly element: HTMLElement;
  /** Folds the results of these checks away; null shows them as they are. */
  setOutdated(checks: readonly QueuedCheck[] | null): void;
}

/** Builds the place of what is in `parts`. */
export function resultsFold({ say }: Locale, parts: readonly HTMLElement[]): ResultsFold {
  const summary = html('summary', {});
  const inside = html('div', {});
  const fold = html('details', { class: 'outdated card' }, summary, inside);
  const element = html('div', { class: 'results' }, parts);
  return {
    element,
    setOutdated(checks) {
      fold.open = false;
      if (checks === null) {
        replaceChildren(element, parts);
        return;
      }
      replaceChildren(inside, parts);
      replaceChildren(element, html('p', { class: 'not-yet' }, say('outdated.lead')), fold);
      replaceChildren(summary, titleOf(checks));
    },
  };

  function titleOf(checks: readonly QueuedCheck[]) {
    const [first] = checks;
    if (checks.length > 1 || first === undefined) return say.count('outdated.many', checks.length);
    return filled(say('outdated.single'), () => shownUrl(first.url));
  }
}
