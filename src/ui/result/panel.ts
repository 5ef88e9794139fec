import { type Child, html } from '../elements/dom.ts';

/** One titled part of the details; `note` says the gist beside the title. */
export function panel(name: string, title: string, note: Child, ...children: readonly Child[]): HTMLElement {
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
