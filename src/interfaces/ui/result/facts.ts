import { type Child, html } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';

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
