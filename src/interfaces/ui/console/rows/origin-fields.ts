import type { Via } from '#src/checks/record/decided-by.ts';
import type { Coverage } from '#src/engine/fusion/assessment.ts';
import { html } from '../../elements/dom.ts';
import type { HistoryFilter } from '../../history/history-query.ts';
import type { ConsoleParts } from '../console-parts.ts';

const COVERAGE_NAMES = ['full', 'partial', 'url_only'] as const satisfies readonly Coverage[];
const VIA_NAMES = ['page', 'api', 'cli', 'gate', 'mail', 'misp'] as const satisfies readonly Via[];

/** The filters of a log by what was seen, how checks came, and what decided. */
export function originFields(filter: HistoryFilter, { tell }: ConsoleParts): HTMLElement[] {
  const field = (label: string, input: HTMLElement) =>
    html('div', { class: 'field' }, html('label', { for: input.id }, label), input);
  const choice = (name: 'coverage' | 'via', words: readonly (readonly [string, string])[]) =>
    html(
      'select',
      { id: `history-${name}`, name },
      html('option', { value: '' }, tell('filter.any')),
      words.map(([value, text]) => html('option', { value, selected: filter[name] === value }, text)),
    );
  const text = (name: 'list' | 'entry' | 'reason') =>
    html('input', {
      ...{ type: 'search', id: `history-${name}`, name, value: filter[name] ?? '', maxlength: 255 },
      ...{ spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', dir: 'ltr' },
    });
  return [
    field(
      tell('row.seen'),
      choice(
        'coverage',
        COVERAGE_NAMES.map((name) => [name, tell(`coverage.${name}`)] as const),
      ),
    ),
    field(
      tell('row.via'),
      choice(
        'via',
        VIA_NAMES.map((name) => [name, tell(`via.${name}`)] as const),
      ),
    ),
    field(tell('row.list'), text('list')),
    field(tell('entry'), text('entry')),
    field(tell('row.reason'), text('reason')),
  ];
}
