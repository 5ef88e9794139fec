import { type Child, html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';

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
