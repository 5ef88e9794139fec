import type { DecidedBy } from '#src/checks/record/decided-by.ts';
import { type Child, html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { hrefOfScreen } from '../screen-route.ts';
import { ownerWords } from '../screens/list-owner.ts';

/** Returns the list that decided, which leads to its screen, its entry, and whose list it is. */
export function decidedWords({ list, entry, source }: DecidedBy, parts: ConsoleParts): Child {
  if (list === null) return parts.tell('screen.lists');
  const name = literal(list, 'mono');
  const isShown = source !== 'setting' && parts.may('lists');
  return [
    isShown ? html('a', { href: hrefOfScreen('lists', list, entry === null ? {} : { search: entry }) }, name) : name,
    entry !== null && [': ', literal(entry, 'mono')],
    source !== null && [' · ', ownerWords({ owner: source, source: null }, parts)],
  ];
}
