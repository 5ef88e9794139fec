import type { MessageLink } from '#src/engine/message/message-link.ts';
import { decisionChip } from '../elements/decision-marks.ts';
import { type Child, html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/literal.ts';
import { warningLine, wordsLine } from '../elements/mismatch-line.ts';
import { shownUrl } from '../elements/shown-url.ts';
import type { Speaker } from '../languages/speak.ts';
import { lookOf } from '../result/verdict-state.ts';
import type { Locale } from '../shell/locale.ts';
import type { QueuedCheck } from './check-queue.ts';
import { lookOfTarget } from './intake/non-web-words.ts';
import { nonWebLine } from './intake/unchecked-lines.ts';

/** Builds a line that opens a finished check; null if the check is not finished. */
export function checkLine(
  check: QueuedCheck,
  { say, format }: Locale,
  open: (check: QueuedCheck) => void,
): HTMLElement | null {
  const { result, link, url, target } = check;
  const line = (...children: readonly Child[]) =>
    html('button', { type: 'button', class: 'line', click: () => open(check) }, ...children);
  if (target) return line(decisionChip(lookOfTarget(target), say), nonWebLine(target, say));
  if (!result) return null;
  return line(
    decisionChip(lookOf({ ...link, result }), say),
    shownUrl(url),
    html('span', { class: 'figure' }, format.percent(result.malicious_probability)),
  );
}

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
