import type { NonWebTarget } from '#src/engine/message/non-web-target.ts';
import { type Child, html } from '../../elements/dom.ts';
import { decisionIcon } from '../../elements/icons.ts';
import type { Locale } from '../../shell/locale.ts';
import { nonWebLine } from './non-web-line.ts';
import { lookOfTarget } from './non-web-words.ts';

/** Findings that are shown at once; further ones are folded away. */
const SHOWN = 4;

/** What of a message is no web address, said before the check; nothing where all of it is. */
export function foundTargets(targets: readonly NonWebTarget[], { say }: Locale): Child {
  const lines = targets.map((target) => {
    const look = lookOfTarget(target);
    return html('li', { class: `found-target ${look}` }, decisionIcon(look), nonWebLine(target, say));
  });
  const folded = lines.splice(SHOWN);
  if (lines.length === 0) return null;
  return [
    html('p', {}, say('target.will')),
    html('ul', {}, lines),
    folded.length > 0 &&
      html('details', {}, html('summary', {}, say.count('check.will.more', folded.length)), html('ul', {}, folded)),
  ];
}
