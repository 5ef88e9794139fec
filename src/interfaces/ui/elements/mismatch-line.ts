import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { Mismatch } from '#src/engine/message/mismatch.ts';
import type { Speaker } from '../languages/speak.ts';
import { type Child, html } from './dom.ts';
import { filled } from './filled.ts';
import { decisionIcon } from './icons.ts';
import { literal } from './literal.ts';

/** Says that a message named another site than the one to which its link leads. */
export function mismatchLine(
  { says, goesTo }: Mismatch,
  say: Speaker,
  key: 'check.mismatch' | 'result.mismatch',
): HTMLElement {
  return warningLine(filled(say(key), (name) => literal(name === 'says' ? says : goesTo)));
}

/** Says what the words of a link say that the link does not; null if nothing. */
export function wordsLine({ mismatch, detour }: MessageLink, say: Speaker): HTMLElement | null {
  if (mismatch) return mismatchLine(mismatch, say, 'check.mismatch');
  if (detour === undefined) return null;
  const said = filled(say('check.detour'), (name) => literal(name === 'says' ? detour.says : detour.through));
  return html('p', { class: 'note' }, said);
}

/** A line about a trick of a message. */
export function warningLine(said: Child): HTMLElement {
  return html('p', { class: 'mismatch' }, decisionIcon('block'), html('span', {}, said));
}
