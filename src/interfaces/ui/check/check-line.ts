import { decisionChip } from '../elements/decision-chip.ts';
import { type Child, html } from '../elements/dom.ts';
import { shownUrl } from '../elements/shown-url.ts';
import { lookOf } from '../result/verdict-state.ts';
import type { Locale } from '../shell/locale.ts';
import type { QueuedCheck } from './check-queue.ts';
import { nonWebLine } from './intake/non-web-line.ts';
import { lookOfTarget } from './intake/non-web-words.ts';

/** Builds a line that opens a finished check; null if the check is not finished. */
export function checkLine(
  check: QueuedCheck,
  { say, format }: Locale,
  open: (check: QueuedCheck) => void,
): HTMLElement | null {
  const { result, link, url, target } = check;
  const line = (...children: readonly Child[]) =>
    html('button', { type: 'button', class: 'line', click: () => open(check) }, ...children);
  if (target) return line(decisionChip(lookOfTarget(target), say), nonWebLine(target, say));
  if (!result) return null;
  return line(
    decisionChip(lookOf({ ...link, result }), say),
    shownUrl(url),
    html('span', { class: 'figure' }, format.percent(result.malicious_probability)),
  );
}
