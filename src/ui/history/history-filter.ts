import { html } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';

/** Days that a date input may name: four-digit years alone, as ISO 8601 has them. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filters of the history; `search` is given the parameters of the operation. */
export function historyFilter(say: Speaker, search: (query: Readonly<Record<string, string>>) => void): HTMLElement {
  const domain = html('input', {
    type: 'search',
    id: 'history-domain',
    placeholder: say('history.domain.hint'),
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    dir: 'ltr',
    maxlength: 253,
  });
  const decision = html(
    'select',
    { id: 'history-decision' },
    html('option', { value: '' }, say('history.decision.any')),
    (['allow', 'warn', 'block'] as const).map((one) => html('option', { value: one }, say(`decision.${one}.short`))),
  );
  const from = html('input', { type: 'date', id: 'history-from' });
  const until = html('input', { type: 'date', id: 'history-until' });
  const field = (label: string, input: HTMLElement) =>
    html('div', { class: 'field' }, html('label', { for: input.id }, label), input);

  function apply(): void {
    const query = {
      domain: domain.value.trim().toLowerCase(),
      decision: decision.value,
      from: startOfDay(from.value, 0),
      // The reader means the whole last day; the operation excludes its upper bound.
      until: startOfDay(until.value, 1),
    };
    search(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')));
  }

  return html(
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
    field(say('history.domain'), domain),
    field(say('history.decision'), decision),
    field(say('history.from'), from),
    field(say('history.until'), until),
    html('button', { type: 'submit', class: 'primary' }, say('history.apply')),
    html('button', { type: 'reset' }, say('history.reset')),
  );
}

/** The instant at which a day of the reader's time zone begins, some days later; empty for no day. */
function startOfDay(day: string, daysLater: number): string {
  if (!DAY.test(day)) return '';
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}
