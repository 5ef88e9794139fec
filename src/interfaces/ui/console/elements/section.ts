import { type Child, html, replaceChildren } from '../../elements/dom.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { trouble } from './trouble.ts';

/** A titled part of a screen. */
export function section(title: string, ...children: readonly Child[]): HTMLElement {
  return html('section', { class: 'card' }, html('h2', { tabindex: -1 }, title), children);
}

/** A place that shows what `load` brings, or why it did not come. */
export function loaded<T>(parts: ConsoleParts, load: Promise<T>, draw: (value: T) => Child): HTMLElement {
  const place = html(
    'div',
    { class: 'loaded' },
    html('p', { role: 'status', class: 'muted' }, parts.locale.say('history.loading')),
  );
  load.then(
    (value) => {
      if (!parts.leaving.aborted) replaceChildren(place, draw(value));
    },
    (error) => {
      if (!parts.leaving.aborted) replaceChildren(place, trouble(error, parts));
    },
  );
  return place;
}
