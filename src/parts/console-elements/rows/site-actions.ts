import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { filled } from '#src/interfaces/ui/elements/filled.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { action } from '../elements/action.ts';
import { type Effect, previewButton } from '../elements/preview.ts';
import { hrefOfScreen } from '../screen-route.ts';

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

/** A change of a list that was made. */
interface MadeChange {
  readonly list: string;
  /** Object of the change, such as an entry. */
  readonly of: string;
  readonly effect: Effect;
  /** Text about the change, with placeholders `{list}` and `{what}`. */
  readonly words: string;
  /** Called once the change is undone. */
  readonly undone?: () => void;
}

/** Says what was changed in a list, with a button that rolls back exactly this change. */
export function noteUndoable({ list, of, effect, words, undone }: MadeChange, parts: ConsoleParts): void {
  const { tell, api, note } = parts;
  const said = (sentence: string): Child =>
    filled(sentence, (gap) =>
      gap === 'list' ? html('a', { href: hrefOfScreen('lists', list) }, literal(list, 'mono')) : literal(of, 'mono'),
    );
  const undo = async () => {
    const path = routeAddress(['admin', 'lists', list, 'rollback']);
    // A list that the change removed has no tag.
    await api.change({ method: 'POST', path, etag: effect?.etag ?? '*' });
    note(said(tell('lists.undone')));
    undone?.();
  };
  note(said(words), ' ', action({ label: tell('undo'), of, run: undo }, parts));
}
