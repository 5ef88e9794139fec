import type { Reason } from '#src/checks/record/check-result.ts';
import { html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import type { Locale } from '../../shell/locale.ts';
import { reasonPieces } from './reason-pieces.ts';

/** A reason as a sentence in the reader's language, with what it quotes set off from its own words. */
export function reasonText(reason: Pick<Reason, 'code' | 'message' | 'args'>, locale: Locale): HTMLElement {
  const pieces = reasonPieces(reason, locale).map(({ text, by }) => {
    if (by === 'page') return text;
    if (by === 'host') return literal(text);
    return by === 'site' ? foreign(text) : html('span', { lang: 'en' }, foreign(text));
  });
  return html('span', {}, pieces);
}
