import { type Child, html, replaceChildren } from '../../elements/dom.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { action } from '../elements/action.ts';
import { previewIn } from '../elements/preview.ts';

/** Lists that take what is allowed or blocked with one click; each is created by its first entry. */
export const OWN_LISTS = { allow: 'console-allow', block: 'console-block' } as const;

/** Buttons that allow or block the site of a URL, after a preview. */
export function siteActions(url: string, parts: ConsoleParts): Child {
  const host = URL.parse(url)?.hostname ?? '';
  return host === '' ? null : hostActions(host, ['allow', 'block'], parts);
}

/** Buttons that put a host on a list, after a preview. */
export function hostActions(host: string, offered: readonly ('allow' | 'block')[], parts: ConsoleParts): Child {
  const place = html('div', { class: 'in-place' });
  const button = (what: 'allow' | 'block') =>
    action(
      {
        label: parts.tell(`site.${what}`),
        of: host,
        async run() {
          replaceChildren(place);
          const ask = (preview: boolean) =>
            parts.api.change<null>({
              method: 'POST',
              path: routeAddress(['admin', 'lists', OWN_LISTS[what], 'entries'], { preview }),
              body: { entry: host, action: what },
            });
          await previewIn(place, { ask, done: () => undefined }, parts);
        },
      },
      parts,
    );
  return [offered.map(button), place];
}
