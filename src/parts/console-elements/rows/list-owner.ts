import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import type { ListRow } from '#src/parts/lists/routes/list-answer.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { hrefOfScreen, type ScreenName } from '../screen-route.ts';

/** The name that the service gives to what was pasted here. */
const PASTED = 'console';

/** The screen where lists of others are changed. */
function screenOf(owner: string): ScreenName {
  return owner === 'feedback' ? 'feedback' : owner === 'source' ? 'settings' : 'models';
}

/** Explains that a list is changed elsewhere, with a link. */
export function changedElsewhere({ owner }: Pick<ListRow, 'owner'>, { tell, may }: ConsoleParts): HTMLElement {
  const screen = screenOf(owner);
  const canOpen = may(...(screen === 'feedback' ? ['feedback'] : []));
  const way = canOpen && [' ', html('a', { href: hrefOfScreen(screen) }, tell(`screen.${screen}`))];
  return html('p', { class: 'note' }, tell('lists.elsewhere'), way);
}

/** Describes the origin of a list, with the name of its file. */
export function ownerWords({ owner, source }: Pick<ListRow, 'owner' | 'source'>, { tell }: ConsoleParts): Child {
  const [, pack] = /^pack (.+)$/.exec(owner) ?? [];
  return [
    pack === undefined ? tell.maybe(`owner.${owner}`, owner) : [tell('owner.pack'), ' ', foreign(pack)],
    // What a scheduled import was called is no name of a file.
    source !== null && source !== PASTED && owner !== 'source' && [' · ', literal(source, 'mono')],
  ];
}
