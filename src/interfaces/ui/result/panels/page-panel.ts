import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import { html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import type { Locale } from '../../shell/locale.ts';
import { hostIn } from '../destination.ts';
import { facts } from '../facts.ts';
import { panel, titleOf } from './panel.ts';

/** Shows the page's content and the targets of its forms; null if no page was fetched. */
export function pagePanel(details: AnalysisDetails, { say, format }: Locale): HTMLElement | null {
  const { page, status_code: status, content_length: sizeBytes } = details;
  const title = titleOf(say('page.title'), hostIn(details.final_url ?? ''));
  if (status === 0 && page === null) return null;
  const answer = facts(
    page && [
      say('page.heading'),
      page.title === null ? html('span', { class: 'muted' }, say('page.untitled')) : foreign(page.title, 'title'),
    ],
    [say('page.status'), `HTTP ${status}`],
    [say('page.size'), format.bytes(sizeBytes)],
  );
  if (page === null) return panel('page', title, say('page.notHtml'), answer);
  const forms = page.forms.slice(0, 30).map(({ action, method, fields }) =>
    html(
      'li',
      {},
      html('span', { class: 'tag' }, foreign(method.toUpperCase())),
      ` ${say('page.form.to')} `,
      action === null ? say('page.form.script') : literal(action, 'mono'),
      fields.length > 0 &&
        html(
          'span',
          { class: 'note' },
          say('page.form.fields'),
          ' ',
          fields.map((field, at) => [foreign(say.maybe(`field.${field}`, field)), format.joints(fields.length)[at]]),
        ),
    ),
  );
  return panel(
    'page',
    title,
    null,
    answer,
    html('h4', {}, say('page.forms')),
    forms.length === 0 ? html('p', { class: 'muted' }, say('page.forms.none')) : html('ul', { class: 'forms' }, forms),
  );
}
