import { html } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';
import type { HistoryFilter } from './history-query.ts';

/**
 * The filters of the history; `search` is given those that were set.
 *
 * @param more further fields, of which each input has the name of its filter
 */
export function filterForm(
  say: Speaker,
  filter: HistoryFilter,
  search: (filter: HistoryFilter) => void,
  more: readonly HTMLElement[] = [],
): HTMLElement {
  const text = (id: string, placeholder: string, value = '') =>
    html('input', {
      type: 'search',
      id,
      placeholder,
      value,
      spellcheck: 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      dir: 'ltr',
      maxlength: 253,
    });
  const part = text('history-text', say('history.text.hint'), filter.q);
  const domain = text('history-domain', say('history.domain.hint'), filter.domain);
  const decision = html(
    'select',
    { id: 'history-decision' },
    html('option', { value: '' }, say('history.decision.any')),
    (['allow', 'warn', 'block'] as const).map((one) =>
      html('option', { value: one, selected: one === filter.decision }, say(`decision.${one}.short`)),
    ),
  );
  const day = (id: string, value = '') => html('input', { type: 'date', id, value: value.slice(0, 10) });
  const from = day('history-from', filter.from);
  const until = day('history-until', filter.until);
  const field = (label: string, input: HTMLElement) =>
    html('div', { class: 'field' }, html('label', { for: input.id }, label), input);

  function apply(): void {
    const set: Record<string, string> = {
      q: part.value.trim(),
      domain: domain.value.trim().toLowerCase(),
      decision: decision.value,
      from: from.value,
      until: until.value,
      ...Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()])),
    };
    search(Object.fromEntries(Object.entries(set).filter(([, value]) => value !== '')));
  }

  const form = html(
    'form',
    {
      class: 'history-filter',
      role: 'search',
      'aria-label': say('history.filter'),
      submit: (event) => {
        event.preventDefault();
        apply();
      },
      reset: () => search({}),
    },
    field(say('history.text'), part),
    field(say('history.domain'), domain),
    field(say('history.decision'), decision),
    field(say('history.from'), from),
    field(say('history.until'), until),
    more,
    html('button', { type: 'submit', class: 'primary' }, say('history.apply')),
    html('button', { type: 'reset' }, say('history.reset')),
  );
  return form;
}
