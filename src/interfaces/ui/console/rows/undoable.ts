import { type Child, html } from '../../elements/dom.ts';
import { filled } from '../../elements/filled.ts';
import { literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { action } from '../elements/action.ts';
import type { Effect } from '../elements/preview.ts';
import { hrefOfScreen } from '../screen-route.ts';

/** A change of a list that was made. */
export interface MadeChange {
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
