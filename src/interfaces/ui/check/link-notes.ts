import type { MessageLink } from '#src/engine/message/message-link.ts';
import { type Child, html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/foreign.ts';
import { warningLine, wordsLine } from '../elements/mismatch-line.ts';
import type { Speaker } from '../languages/speak.ts';

/** Returns the words of the message about a link, and the file of the message that has it. */
export function linkNotes(link: MessageLink, say: Speaker): Child {
  const { role, file, isReversed } = link;
  return [
    role && html('span', { class: 'note' }, say(`check.role.${role}`)),
    file !== undefined &&
      html(
        'span',
        { class: 'note' },
        filled(say('check.inFile'), () => foreign(file)),
      ),
    wordsLine(link, say),
    isReversed && warningLine(say('link.reversed')),
  ];
}
