import { html } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';
import { position } from '../elements/position.ts';
import type { Locale } from '../shell/locale.ts';

/** Names with their counts, the largest first, each with a bar of its share of the largest, and leading to what it counts. */
export function ranking(
  entries: readonly { readonly name: string; readonly checks: number }[],
  { say, format }: Locale,
  shown: (name: string) => string,
  hrefOfName: (name: string) => string,
): HTMLElement {
  if (entries.length === 0) return html('p', { class: 'muted' }, say('overview.nothing'));
  const top = Math.max(...entries.map(({ checks }) => checks), 1);
  return html(
    'ol',
    { class: 'ranking' },
    entries.map(({ name, checks }) =>
      html(
        'li',
        {},
        html('a', { href: hrefOfName(name) }, literal(shown(name), 'mono')),
        html('span', { class: 'figure' }, format.number(checks)),
        position(html('span', { class: 'share', 'aria-hidden': 'true' }), { size: checks / top }),
      ),
    ),
  );
}
