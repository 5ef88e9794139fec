import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
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

/** The same of what the service answers at a path. */
export function loadedFrom<T>(parts: ConsoleParts, path: string, draw: (value: T) => Child): HTMLElement {
  return loaded(parts, parts.api.read<T>(path, parts.leaving), draw);
}

/** Rows of the service, and the cursor of the next ones; null at the end. */
interface Rows<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Rows that come by the page; `show` draws the first page and all later ones. */
export function paged<T>(
  parts: ConsoleParts,
  load: (after: string | null) => Promise<Rows<T>>,
  { element, add }: { readonly element: HTMLElement; add(items: readonly T[]): void },
): HTMLElement {
  const { say } = parts.locale;
  const said = html('div', {}, html('p', { role: 'status', class: 'muted' }, say('history.loading')));
  const more = html('button', { type: 'button', hidden: true, click: () => void next() }, say('history.more'));
  let after: string | null = null;
  element.hidden = true;

  async function next(): Promise<void> {
    try {
      const rows = await load(after);
      if (parts.leaving.aborted) return;
      after = rows.next;
      add(rows.items);
      element.hidden = false;
      more.hidden = after === null;
      replaceChildren(said);
    } catch (error) {
      if (!parts.leaving.aborted) replaceChildren(said, trouble(error, parts));
    }
  }

  void next();
  return html('div', { class: 'loaded' }, element, said, more);
}
