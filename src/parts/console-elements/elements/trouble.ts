import { RefusalError } from '#src/interfaces/ui/api/api.ts';
import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { foreign } from '#src/interfaces/ui/elements/literal.ts';
import { refusalText } from '#src/interfaces/ui/elements/refusal-text.ts';
import type { ConsoleParts } from '../console-parts.ts';

/** Statuses at which the details of the service help the operator. */
const DETAILED: readonly number[] = [400, 403, 404, 409, 413, 415, 422];

/** Dependencies of showing trouble; without `reload`, there is no button to show the current state. */
export type TroubleParts = Pick<ConsoleParts, 'locale' | 'tell'> & Partial<Pick<ConsoleParts, 'reload'>>;

/** Why something did not succeed, and what to do. Errors that are no refusal are thrown on. */
export function trouble(error: unknown, { locale, tell, reload }: TroubleParts): HTMLElement {
  if (!(error instanceof RefusalError)) throw error;
  const { status, code, detail } = error.refusal;
  const own = tell.maybe(`trouble.${code}`, '') || tell.maybe(`trouble.${status}`, '');
  const helps = own !== '' && detail !== '' && DETAILED.includes(status);
  const words: Child = own || refusalText(error.refusal, locale);
  return html(
    'div',
    { class: 'trouble' },
    html(
      'p',
      { class: 'complaint', role: 'alert' },
      words,
      helps && [' ', html('span', { lang: 'en' }, foreign(detail))],
    ),
    status === 412 && reload && html('button', { type: 'button', click: reload }, tell('reload')),
  );
}
