import { type Child, html } from '../elements/dom.ts';

/** A table of figures; the cells of its first column name its rows. */
export function dataTable(
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly Child[])[],
): HTMLElement {
  return html(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    html(
      'table',
      {},
      html('caption', { class: 'visually-hidden' }, caption),
      html(
        'thead',
        {},
        html(
          'tr',
          {},
          headings.map((heading) => html('th', { scope: 'col' }, heading)),
        ),
      ),
      html(
        'tbody',
        {},
        rows.map(([name, ...cells]) =>
          html(
            'tr',
            {},
            html('th', { scope: 'row' }, name),
            cells.map((cell) => html('td', {}, cell)),
          ),
        ),
      ),
    ),
  );
}
