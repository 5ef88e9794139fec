import type { LiveMail } from '#src/checks/record/activity.ts';
import { decisionChip } from '#src/interfaces/ui/elements/decision-marks.ts';
import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import type { Locale } from '#src/interfaces/ui/shell/locale.ts';

/** The verdict on a mail, which holds nothing of the mail; `title` says what it is, and `details` more once it is opened. */
export function mailLine(
  mail: Omit<LiveMail, 'visibility' | 'link_count'>,
  { say, format }: Locale,
  title: string,
  details: () => Child = () => null,
): HTMLElement {
  const { decision, caution, malicious_probability, timestamp, reasons, request_id } = mail;
  const headings = reasons.flatMap((code) => say.heading(code) ?? []);
  const more = html('div', { class: 'history-opened' });
  return html(
    'li',
    {},
    html(
      'details',
      {
        toggle: () => {
          if (more.childElementCount === 0) replaceChildren(more, details());
        },
      },
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
        more,
        html('p', { class: 'note' }, `${say('meta.id')} ${request_id} · ${format.moment(timestamp)}`),
      ),
    ),
  );
}
