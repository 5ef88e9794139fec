import { html } from '../../elements/dom.ts';

/** Shows a place below the row of a table that an element is in, across all columns. */
export function showBelowRow(within: Element, place: HTMLElement): void {
  if (place.isConnected) return;
  within
    .closest('tr')
    ?.after(
      html('tr', { role: 'row', class: 'below' }, html('td', { role: 'cell', class: 'opened', colspan: 9 }, place)),
    );
}
