import { type Child, html } from '../../elements/dom.ts';
import { filled } from '../../elements/filled.ts';
import { literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ListPage } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { action } from '../elements/action.ts';
import { type Effect, previewButton } from '../elements/preview.ts';
import { hrefOfScreen } from '../screen-route.ts';

/** Lists that take what is allowed or blocked with one click; each is created by its first entry. */
const OWN_LISTS = { allow: 'console-allow', block: 'console-block' } as const;

/** Buttons that allow or block the site of a URL, after a preview. */
export function siteActions(url: string, parts: ConsoleParts): Child {
  const host = URL.parse(url)?.hostname ?? '';
  return host === '' ? null : hostActions(host, ['allow', 'block'], parts);
}

/** Buttons that put a host on a list, after a preview. */
export function hostActions(host: string, offered: readonly ('allow' | 'block')[], parts: ConsoleParts): Child {
  const { tell, api } = parts;
  const place = html('div', { class: 'in-place' });
  const button = (what: 'allow' | 'block') => {
    const label = tell(`site.${what}`);
    const ask = (preview: boolean) =>
      api.change<Effect>({
        method: 'POST',
        path: routeAddress(['admin', 'lists', OWN_LISTS[what], 'entries'], { preview }),
        body: { entry: host, action: what },
      });
    const list = () => html('a', { href: hrefOfScreen('lists', OWN_LISTS[what]) }, literal(OWN_LISTS[what], 'mono'));
    const said = (words: string) => filled(words, (name) => (name === 'list' ? list() : literal(host, 'mono')));
    const undo = async () => {
      const path = ['admin', 'lists', OWN_LISTS[what]];
      const { etag } = (await api.read<ListPage>(routeAddress(path, { limit: '1' }))).value;
      await api.change({ method: 'DELETE', path: routeAddress([...path, 'entries'], { entry: host }), etag });
      parts.note(said(tell('site.undone')));
    };
    const done = () =>
      parts.note(said(tell('site.listed')), ' ', action({ label: tell('undo'), of: host, run: undo }, parts));
    return previewButton({ label, of: host, title: `${label}: ${host}`, ask, done }, place, parts);
  };
  return [offered.map(button), place];
}
