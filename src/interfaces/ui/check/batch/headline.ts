import { html, replaceChildren } from '../../elements/dom.ts';
import { decisionIcon } from '../../elements/icons.ts';
import type { Locale } from '../../shell/locale.ts';
import { type CheckKind, countKinds, isHarmless } from '../check-kind.ts';
import type { QueuedCheck } from '../check-queue.ts';
import { type HeadlineContext, kindOfAll } from './kind-of-all.ts';

/** The verdict on links together, as the head of their results. */
export interface Headline {
  readonly element: HTMLElement;
  /** Shows the verdict on checks. */
  show(checks: readonly QueuedCheck[], context: HeadlineContext): void;
}

/** Builds an empty head; its title, which takes the focus, has the given id. */
export function headline(id: string, locale: Locale): Headline {
  const { say } = locale;
  const icon = html('div', { class: 'headline-icon' });
  const title = html('h2', { id, tabindex: -1 });
  const pages = html('p', {}, say('headline.pages'));
  return {
    element: html('div', { class: 'verdict-head' }, icon, html('div', {}, title, pages)),
    show(checks, context) {
      const kind = kindOfAll(checks, context);
      replaceChildren(icon, kind !== 'unchecked' && decisionIcon(kind));
      // In place: a title that is replaced loses the focus.
      title.textContent = titleOf(kind, checks, context, locale);
      pages.hidden = kind !== 'unseen';
    },
  };
}

function titleOf(
  kind: CheckKind,
  checks: readonly QueuedCheck[],
  { isMessage, decision = null }: HeadlineContext,
  { say, format }: Locale,
): string {
  const count = countKinds(checks)[kind];
  if (decision === 'allow' && isHarmless(kind)) return say(`mail.whole.${kind}`);
  if (decision === kind) return say(`mail.verdict.${kind}`);
  if ((isMessage && checks.length === 1) || count === 0) return say(`mail.verdict.${kind}`);
  const words = { count: format.number(count), total: format.number(checks.length) };
  return isMessage && (kind === 'block' || kind === 'warn')
    ? say(`headline.${kind}.message`, words)
    : say(`headline.${kind}`, words);
}
