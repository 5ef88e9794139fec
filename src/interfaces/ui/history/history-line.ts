import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { isUnusual } from '#src/checks/record/reasons/caution.ts';
import { defang } from '#src/core/url/defang.ts';
import { copyText } from '../elements/clipboard.ts';
import { decisionChip } from '../elements/decision-marks.ts';
import { type Child, html, replaceChildren } from '../elements/dom.ts';
import { lead } from '../elements/lead.ts';
import { literal } from '../elements/literal.ts';
import type { Look } from '../elements/look.ts';
import type { Speaker } from '../languages/speak.ts';
import type { Locale } from '../shell/locale.ts';
import { hrefOfLink } from '../shell/route.ts';
import type { HistorySource, ShownCheck } from './history-source.ts';

/** A check of the history, which opens to what can be done with it. */
export function historyLine(
  item: ShownCheck,
  { say, format }: Locale,
  baseRate: number | null,
  { isPrivate, hrefOfSite, actions, details }: Omit<HistorySource, 'load'>,
): HTMLElement {
  const { url, malicious_probability, timestamp, request_id } = item;
  const look = lookOfCheck(item, baseRate);
  const more = html('div', { class: 'history-opened' });
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
      {
        toggle: () => {
          if (details && more.childElementCount === 0) replaceChildren(more, details(item));
        },
      },
      html(
        'summary',
        {},
        decisionChip(look, say),
        html(
          'span',
          { class: 'history-link' },
          literal(url, 'mono'),
          html('span', { class: 'note' }, why(item, look, say)),
        ),
        html('span', { class: 'figure' }, format.percent(malicious_probability)),
        html('time', { datetime: timestamp }, format.instant(timestamp)),
      ),
      html(
        'div',
        { class: 'history-more' },
        more,
        lead(hrefOfLink(url, isPrivate), '', say('result.again')),
        html('button', { type: 'button', click: () => void copy() }, say('result.copy')),
        host !== '' && lead(hrefOfSite(host), '', say('history.site', { site: host })),
        said,
        actions(item),
        html('p', { class: 'note' }, `${say('meta.id')} ${request_id} · ${format.moment(timestamp)}`),
      ),
    ),
  );
}

/** Returns the deciding fact in a few words: the list, or the strongest reason that speaks for the verdict. */
function why({ decided_by, reasons }: ShownCheck, look: Look, say: Speaker): Child {
  if (decided_by?.list)
    return [literal(decided_by.list, 'mono'), decided_by.entry && [': ', literal(decided_by.entry, 'mono')]];
  const isFor = look !== 'allow' && look !== 'unseen';
  const reason = reasons.find(({ code, weight }) => weight > 0 === isFor && say.heading(code) !== null);
  return reason && say.heading(reason.code);
}

/** Returns how the verdict of a logged check looks: what was not seen, or needs care, never looks like a clean page. */
function lookOfCheck(
  {
    decision,
    malicious_probability,
    caution,
    coverage,
  }: Pick<HistoryItem, 'decision' | 'malicious_probability' | 'caution' | 'coverage'>,
  baseRate: number | null,
): Look {
  if (decision !== 'allow') return decision;
  if (caution ?? (baseRate !== null && isUnusual(malicious_probability, baseRate))) return 'caution';
  return coverage === null || coverage === 'full' ? decision : 'unseen';
}
