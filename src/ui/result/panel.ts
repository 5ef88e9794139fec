import { type Child, html } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';

/** One titled part of the details; `note` says the gist beside the title. A title may name the host that it is about. */
export function panel(name: string, title: Child, note: Child, ...children: readonly Child[]): HTMLElement {
  return html(
    'section',
    { class: `panel card ${name}`, 'aria-labelledby': `${name}-title` },
    html(
      'div',
      { class: 'panel-head' },
      html('h3', { id: `${name}-title` }, title),
      note ? html('p', { class: 'note' }, note) : null,
    ),
    ...children,
  );
}

/** The title of a part that tells of one host among several. */
export function titleOf(title: string, host: string): Child {
  return [title, host !== '' && [' ', literal(host, 'of')]];
}
