import { html } from '../elements/dom.ts';
import type { Locale } from './locale.ts';

/** Explains results and the ways to submit links. */
export function helpView({ say }: Locale): HTMLElement {
  const here = `${location.origin}${location.pathname}`;
  const bookmark = html(
    'a',
    {
      class: 'bookmarklet',
      // This script contains only the address of the service; the page's policy prevents it from running here.
      href: `javascript:void(open(${JSON.stringify(`${here}#url=`)}+encodeURIComponent(location.href),'_blank','noopener'))`,
      draggable: 'true',
      click: (event) => {
        event.preventDefault();
        clicked.textContent = say('help.bookmark.click');
      },
    },
    say('help.bookmark.name'),
  );
  const clicked = html('p', { role: 'status', class: 'muted' });
  const part = (title: string, ...children: readonly (Node | string)[]) =>
    html('section', { class: 'card' }, html('h2', {}, title), ...children);
  return html(
    'div',
    { class: 'help-page' },
    html('h1', { tabindex: -1 }, say('help.title')),
    part(
      say('help.read.title'),
      html(
        'ul',
        {},
        (['help.read.1', 'help.read.2', 'help.read.3'] as const).map((key) => html('li', {}, say(key))),
      ),
    ),
    part(say('help.bookmark.title'), html('p', {}, say('help.bookmark.lead')), html('p', {}, bookmark), clicked),
    part(
      say('help.link.title'),
      html('p', {}, say('help.link.lead', { example: `${here}#url=https%3A%2F%2Fexample.com%2F` })),
    ),
    part(say('help.install.title'), html('p', {}, say('help.install.lead')), html('p', {}, say('help.search.lead'))),
    part(say('help.defang.title'), html('p', {}, say('help.defang.lead'))),
    part(
      say('help.keys.title'),
      html(
        'ul',
        {},
        html('li', {}, say('help.keys.enter')),
        html('li', {}, say('help.keys.escape')),
        html('li', {}, say('help.keys.slash')),
      ),
    ),
  );
}
