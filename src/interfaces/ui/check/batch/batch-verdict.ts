import { html } from '../../elements/dom.ts';
import { clickedHelp } from '../../result/clicked-help.ts';
import type { Locale } from '../../shell/locale.ts';
import { isHarmless } from '../check-kind.ts';
import type { QueuedCheck } from '../check-queue.ts';
import { type IntakeProblem, isUnseen } from '../intake/intake-problem.ts';
import { headline, kindOfAll } from './headline.ts';

/** The verdict above the list of a batch. */
export interface BatchVerdict {
  readonly element: HTMLElement;
  /** Shows what came of the checks meanwhile. */
  refresh(): void;
}

/** Builds the verdict on the links of a text, which are of a message if words stood around one of them. */
export function batchVerdict(
  checks: readonly QueuedCheck[],
  unread: readonly IntakeProblem[],
  locale: Locale,
): BatchVerdict {
  const head = headline('batch-title', locale);
  const clicked = clickedHelp(locale.say);
  const element = html('div', {}, head.element, clicked);
  const isMessage = checks.some(({ link }) => link.words !== null || link.role !== undefined);
  const isPartUnread = unread.some(isUnseen);

  function refresh(): void {
    const kind = kindOfAll(checks, { isPartUnread });
    element.className = `verdict ${kind}`;
    head.show(checks, { isMessage, isPartUnread });
    clicked.hidden = isHarmless(kind) || kind === 'unchecked';
  }

  refresh();
  return { element, refresh };
}
