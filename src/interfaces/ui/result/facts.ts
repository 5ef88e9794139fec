import { type Child, html } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';

/** Screens of at least this width show all panels; narrower ones fold them. */
const WIDE = '(min-width: 40rem)';

/** Builds a titled panel; `note` summarises it beside the title. A title may name the host. */
export function panel(name: string, title: Child, note: Child, ...children: readonly Child[]): HTMLElement {
  return html(
    'details',
    { class: `panel card ${name}`, open: matchMedia(WIDE).matches },
    html(
      'summary',
      { class: 'panel-head' },
      html('h3', {}, title),
      note ? html('span', { class: 'note' }, note) : null,
    ),
    html('div', { class: 'panel-body' }, ...children),
  );
}

/** Title of a panel about one of several hosts. */
export function titleOf(title: string, host: string): Child {
  return [title, host !== '' && [' ', literal(host, 'of')]];
}

/** A label, its value, and the class of their line; null omits the line. */
export type Fact = readonly [label: string, value: Child, className?: string] | null;

/** Labels with their values. */
export function facts(...entries: readonly Fact[]): HTMLElement {
  return html(
    'dl',
    { class: 'facts' },
    entries.map(
      (entry) => entry && html('div', { class: entry[2] }, html('dt', {}, entry[0]), html('dd', {}, entry[1])),
    ),
  );
}

/** Lists untrusted texts, one per line; `none` if there are none. */
export function foreignList(texts: readonly string[] | undefined, none: string, maxLength?: number): Child {
  if (!texts || texts.length === 0) return html('span', { class: 'muted' }, none);
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return literal(only, 'mono', maxLength);
  return html(
    'ul',
    { class: 'plain' },
    texts.map((text) => html('li', {}, literal(text, 'mono', maxLength))),
  );
}
