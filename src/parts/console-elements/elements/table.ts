import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';

/** A column of a table. */
export interface TableColumn<T> {
  /** Empty for buttons, which name themselves. */
  readonly label: string;
  readonly cell: (item: T) => Child;
  readonly look?: 'number' | 'acts' | 'wide' | 'pick';
}

/** A table that can grow. */
export interface Table<T> {
  readonly element: HTMLElement;
  add(items: readonly T[]): void;
}

/** Several parts of a cell are one beside its label on a narrow screen. */
function shownIn(look: TableColumn<never>['look'], content: Child): Child {
  if (look === 'acts') return html('div', { class: 'buttons' }, content);
  return Array.isArray(content) ? html('div', {}, content) : content;
}

/**
 * Builds a table, which becomes a list of cards on a narrow screen. Roles are explicit because a changed `display`
 * removes them.
 *
 * @param none text if there are no rows
 */
export function table<T>(
  caption: string,
  none: string,
  columns: readonly TableColumn<T>[],
  items: readonly T[],
): Table<T> {
  const body = html('tbody', { role: 'rowgroup' });
  const heads = columns.map(({ label, look }) =>
    label === ''
      ? html('td', { role: 'cell', class: look })
      : html('th', { role: 'columnheader', scope: 'col', class: look }, label),
  );
  const grid = html(
    'table',
    { role: 'table', class: 'rows', 'aria-label': caption },
    html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' }, heads)),
    body,
  );
  const empty = html('p', { class: 'muted' }, none);
  const element = html('div', {}, empty, grid);
  const row = (item: T) =>
    html(
      'tr',
      { role: 'row' },
      columns.map(({ label, cell, look }) =>
        html('td', { role: 'cell', class: look, 'data-label': label }, shownIn(look, cell(item))),
      ),
    );

  function add(more: readonly T[]): void {
    body.append(...more.map(row));
    grid.hidden = body.childElementCount === 0;
    empty.hidden = !grid.hidden;
  }

  add(items);
  return { element, add };
}
