import { type Child, html } from '../../elements/dom.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type Effect, previewButton } from '../elements/preview.ts';
import { noteUndoable } from '../rows/undoable.ts';

/** Lists that take what is allowed or blocked with one click; each is created by its first entry. */
export const OWN_LISTS = { allow: 'console-allow', block: 'console-block' } as const;

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
    const made = { list: OWN_LISTS[what], of: host, words: tell('site.listed') };
    const done = (effect: Effect) => noteUndoable({ ...made, effect }, parts);
    return previewButton({ label, of: host, title: `${label}: ${host}`, ask, done }, place, parts);
  };
  return [offered.map(button), place];
}
