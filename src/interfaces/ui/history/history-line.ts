import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { isUnusual } from '#src/checks/record/reasons/caution.ts';
import { defang } from '#src/core/url/defang.ts';
import { copyText } from '../elements/clipboard.ts';
import { decisionChip } from '../elements/decision-chip.ts';
import { html } from '../elements/dom.ts';
import { lead } from '../elements/lead.ts';
import { literal } from '../elements/literal.ts';
import type { Locale } from '../shell/locale.ts';
import { hrefOfLink } from '../shell/route.ts';
import type { HistorySource } from './history-source.ts';

/** A check of the history, which opens to what can be done with it. */
export function historyLine(
  item: HistoryItem,
  { say, format }: Locale,
  baseRate: number | null,
  { isPrivate, hrefOfSite, actions }: Pick<HistorySource, 'isPrivate' | 'hrefOfSite' | 'actions'>,
): HTMLElement {
  const { url, decision, malicious_probability, caution, timestamp, request_id } = item;
  const needsCare =
    caution ?? (decision === 'allow' && baseRate !== null && isUnusual(malicious_probability, baseRate));
  const isUnseen = decision === 'allow' && item.coverage !== null && item.coverage !== 'full';
  const look = needsCare ? 'caution' : isUnseen ? 'unseen' : decision;
  const said = html('span', { role: 'status', class: 'muted' });
  const host = URL.parse(url)?.hostname ?? '';

  async function copy(): Promise<void> {
    const text = defang(url);
    said.textContent = (await copyText(text)) ? say('result.copied') : `${say('result.copyFailed')} ${text}`;
  }

  return html(
    'li',
    {},
    html(
      'details',
      {},
      html(
        'summary',
        {},
        decisionChip(look, say),
        literal(url, 'mono'),
        html('span', { class: 'figure' }, format.percent(malicious_probability)),
        html('time', { datetime: timestamp }, format.instant(timestamp)),
      ),
      html(
        'div',
        { class: 'history-more' },
        lead(hrefOfLink(url, isPrivate), '', say('result.again')),
        html('button', { type: 'button', click: () => void copy() }, say('result.copy')),
        host !== '' && lead(hrefOfSite(host), '', say('history.site', { site: host })),
        said,
        actions(item),
        html(
          'p',
          { class: 'note' },
          `${say('meta.id')} ${request_id} · ${timestamp.slice(0, 19).replace('T', ' ')} UTC`,
        ),
      ),
    ),
  );
}
