import { html, replaceChildren } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';

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
