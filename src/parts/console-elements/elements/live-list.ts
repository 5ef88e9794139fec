import { RefusalError } from '#src/interfaces/ui/api/api.ts';
import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { draftOf, keepDraft } from './inputs.ts';
import type { Table } from './table.ts';
import { trouble } from './trouble.ts';

/** Query of rows; `after` is null for the first page. */
export interface LiveQuery {
  readonly search: string;
  /** One of the orders; empty if there are none to choose from. */
  readonly sort: string;
  readonly after: string | null;
}

/** A page of rows, and the number of all that match. */
export interface LiveRows<T> {
  readonly items: readonly T[];
  readonly found: number;
  readonly next: string | null;
}

/** A list that is searched as its reader types. */
export interface LiveOrder<T> {
  /** Unique in the console; what was typed is kept by it. */
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  /** Initial text instead of the unsent input. */
  readonly search: string | null;
  /** Orders with their words, the usual one first. */
  readonly sorts: readonly (readonly [value: string, words: string])[];
  /** True if the label is a heading, and an empty search loads nothing. */
  readonly isTitle?: boolean;
  load(query: LiveQuery, signal: AbortSignal): Promise<LiveRows<T>>;
  /** Draws an empty table for the rows of another search. */
  draw(): Table<T>;
  /** Called once the first rows of a search are there; null for none. */
  shown?(search: string, found: number | null): void;
}

/** Time without another key after which a search begins, in milliseconds. */
const PAUSE_MS = 180;

/** A field for a search, its orders, and the rows that match, which follow what is typed. */
export function liveList<T>(order: LiveOrder<T>, parts: ConsoleParts, ...above: readonly Child[]): HTMLElement {
  const { id, label, hint, sorts, isTitle = false } = order;
  const { tell, locale, leaving } = parts;
  const { say, format } = locale;
  const place = html('div', { class: 'loaded' });
  const status = html('p', { class: 'muted found', role: 'status' });
  const more = html('button', { type: 'button', hidden: true, click: () => void next() }, say('history.more'));
  const input = html('input', {
    ...{ type: 'search', id, 'aria-describedby': `${id}.hint`, dir: 'ltr', maxlength: 8000 },
    ...{ autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', value: order.search ?? draftOf(id, '') },
    input: () => later(),
  });
  const select = html(
    'select',
    { id: `${id}.sort`, change: () => begin() },
    sorts.map(([value, words]) => html('option', { value, selected: value === draftOf(`${id}.sort`, '') }, words)),
  );
  let asking = new AbortController();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let shown: Table<T> | null = null;
  let after: string | null = null;

  function later(): void {
    clearTimeout(waiting);
    waiting = setTimeout(begin, PAUSE_MS);
  }

  /** Asks for the first rows; those that are there stay until the others come. */
  function begin(): void {
    clearTimeout(waiting);
    keepDraft(id, input.value);
    keepDraft(`${id}.sort`, select.value);
    after = null;
    shown = null;
    asking.abort();
    if (!isTitle || input.value.trim() !== '') {
      void next();
      return;
    }
    replaceChildren(place);
    status.textContent = '';
    more.hidden = true;
    order.shown?.('', null);
  }

  async function next(): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const signal = AbortSignal.any([asking.signal, leaving]);
    const search = input.value.trim();
    place.setAttribute('aria-busy', 'true');
    try {
      add(search, await order.load({ search, sort: select.value, after }, signal), signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RefusalError)) throw error;
      replaceChildren(place, trouble(error, parts));
      more.hidden = true;
    } finally {
      if (!signal.aborted) place.removeAttribute('aria-busy');
    }
  }

  function add(search: string, { items, found, next: following }: LiveRows<T>, signal: AbortSignal): void {
    if (signal.aborted) return;
    const isFirst = shown === null;
    shown ??= order.draw();
    shown.add(items);
    after = following;
    more.hidden = following === null;
    if (!isFirst) return;
    replaceChildren(place, shown.element);
    status.textContent = tell('lists.found', { count: format.number(found) });
    order.shown?.(search, found);
  }

  begin();
  const field = (element: HTMLElement, words: string, look: string, note: Child = null) =>
    html(
      'div',
      { class: `field ${look}` },
      html('label', { for: element.id, class: isTitle && 'visually-hidden' }, words),
      element,
      note,
    );
  return html(
    'div',
    { class: 'live' },
    html(
      'div',
      { class: 'live-bar', role: 'search', 'aria-label': label },
      field(input, label, 'live-search', html('p', { class: 'note', id: `${id}.hint` }, hint)),
      sorts.length > 1 && field(select, tell('lists.sort'), 'live-sort'),
    ),
    status,
    above,
    place,
    more,
  );
}
