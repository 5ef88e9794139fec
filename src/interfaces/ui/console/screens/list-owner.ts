import type { Child } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import type { ListRow } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';

/** The name that the service gives to what was pasted here. */
const PASTED = 'console';

/** Where a list comes from, in words, with the name of its file. */
export function ownerWords({ owner, source }: Pick<ListRow, 'owner' | 'source'>, { tell }: ConsoleParts): Child {
  const [, pack] = /^pack (.+)$/.exec(owner) ?? [];
  return [
    pack === undefined ? tell.maybe(`owner.${owner}`, owner) : [tell('owner.pack'), ' ', foreign(pack)],
    source !== null && source !== PASTED && [' · ', literal(source, 'mono')],
  ];
}
