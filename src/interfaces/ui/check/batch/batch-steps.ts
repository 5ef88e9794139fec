import { html } from '../../elements/dom.ts';
import type { Locale } from '../../shell/locale.ts';
import type { QueuedCheck } from '../check-queue.ts';

/** The way from one result of a batch to the one before it and the next; null where there is no other. */
export function batchSteps(
  checks: readonly QueuedCheck[],
  shown: QueuedCheck,
  { say, format }: Locale,
  open: (check: QueuedCheck) => void,
): HTMLElement | null {
  const place = checks.indexOf(shown);
  if (place < 0 || checks.length < 2) return null;
  const step = (key: 'batch.previous' | 'batch.next', to: QueuedCheck | undefined) =>
    html('button', { type: 'button', disabled: to === undefined, click: () => to && open(to) }, say(key));
  return html(
    'nav',
    { class: 'steps', 'aria-label': say('check.results') },
    step('batch.previous', checks[place - 1]),
    html('span', {}, say('batch.place', { place: format.number(place + 1), total: format.number(checks.length) })),
    step('batch.next', checks[place + 1]),
  );
}
