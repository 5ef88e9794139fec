import { defang } from '#src/url/defang.ts';
import { copyText } from '../elements/clipboard.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';
import type { Locale } from '../shell/locale.ts';
import { hrefOfResult } from '../shell/route.ts';
import { feedbackBox } from './feedback-box.ts';
import { packShown } from './pack-shown.ts';
import { rawJson } from './raw-panel.ts';
import { saveReport } from './report.ts';
import type { ShownResult } from './shown-result.ts';
import { ticketText } from './ticket.ts';

/** What can be done with a result; `section` is what the report is made of. */
export function actions(
  shown: ShownResult,
  section: () => HTMLElement | null,
  locale: Locale,
  again: () => void,
): HTMLElement {
  const { say } = locale;
  const { result, signature } = shown;
  const said = html('p', { class: 'actions-said', role: 'status' });
  const harmless = defang(result.analysis_details.normalized_url);

  async function copy(text: string, means = ''): Promise<void> {
    const copied = await copyText(text);
    replaceChildren(
      said,
      copied ? `${say('result.copied')} ${means}`.trim() : [say('result.copyFailed'), ' ', literal(text, 'mono')],
    );
  }

  async function copyLink(signature: string): Promise<void> {
    const packed = await packShown(shown, signature).catch(() => undefined);
    if (packed === undefined) replaceChildren(said, say('refusal.unreachable'));
    else if (packed === null) replaceChildren(said, say('linked.tooLong'));
    else await copy(`${location.origin}${location.pathname}${hrefOfResult(packed)}`, say('linked.means'));
  }

  async function save(): Promise<void> {
    const whole = section();
    if (whole) await saveReport(whole, result, locale);
  }

  const button = (text: string, act: () => void) => html('button', { type: 'button', click: act }, text);
  return html(
    'div',
    { class: 'actions' },
    button(say('result.copy'), () => void copy(harmless)),
    button(say('result.ticket'), () => void copy(ticketText(shown, locale))),
    signature !== null && button(say('linked.copy'), () => void copyLink(signature)),
    button(say('result.again'), again),
    button(say('result.save'), () => void save()),
    button(say('result.print'), () => print()),
    button(say('raw.copy'), () => void copy(rawJson(result))),
    said,
    // Of a private check, nobody but its log is to know anything.
    shown.isPrivate === false && feedbackBox(result.request_id, locale),
  );
}
