import { decisionChip } from '../elements/decision-chip.ts';
import { html } from '../elements/dom.ts';
import { shownUrl } from '../elements/shown-url.ts';
import { lookOf } from '../result/shown-result.ts';
import type { Locale } from '../shell/locale.ts';
import type { QueuedCheck } from './check-queue.ts';

/** A check that is done, as a line by which its result is opened; null where it is not. */
export function checkLine(
  check: QueuedCheck,
  { say, format }: Locale,
  open: (check: QueuedCheck) => void,
): HTMLElement | null {
  const { result, link, url } = check;
  if (!result) return null;
  return html(
    'button',
    { type: 'button', class: 'line', click: () => open(check) },
    decisionChip(lookOf({ result, mismatch: link.mismatch }), say),
    shownUrl(url),
    html('span', { class: 'figure' }, format.percent(result.malicious_probability)),
  );
}
