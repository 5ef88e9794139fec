import type { LiveMail } from '#src/checks/record/activity.ts';
import { decisionChip } from '../../elements/decision-chip.ts';
import { html } from '../../elements/dom.ts';
import type { Locale } from '../../shell/locale.ts';

/** The verdict on a mail in the live view, which holds nothing of the mail; `title` says what it is. */
export function mailLine(mail: LiveMail, { say, format }: Locale, title: string): HTMLElement {
  const { decision, caution, malicious_probability, timestamp, reasons, request_id } = mail;
  const headings = reasons.flatMap((code) => say.heading(code) ?? []);
  return html(
    'li',
    {},
    html(
      'details',
      {},
      html(
        'summary',
        {},
        decisionChip(caution ? 'caution' : decision, say),
        html('span', { class: 'history-link' }, title, html('span', { class: 'note' }, headings.join(' · '))),
        html('span', { class: 'figure' }, format.percent(malicious_probability)),
        html('time', { datetime: timestamp }, format.instant(timestamp)),
      ),
      html(
        'div',
        { class: 'history-more' },
        html('p', { class: 'note' }, `${say('meta.id')} ${request_id} · ${format.moment(timestamp)}`),
      ),
    ),
  );
}
