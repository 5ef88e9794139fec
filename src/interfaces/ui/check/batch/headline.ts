import { html, replaceChildren } from '../../elements/dom.ts';
import { decisionIcon } from '../../elements/icons.ts';
import type { Locale } from '../../shell/locale.ts';
import { type CheckKind, checkKindOf, countKinds, isHarmless, KINDS } from '../check-kind.ts';
import type { QueuedCheck } from '../check-queue.ts';

/** Facts about the links of a headline. */
export interface HeadlineContext {
  /** True for links of a message, which is not to be trusted because of one of them. */
  readonly isMessage: boolean;
  /** True if a part of the message was not read. */
  readonly isPartUnread: boolean;
  /** True if a file of the message is dangerous to open. */
  readonly isRisky?: boolean;
}

/** Returns the verdict on links together: that of the worst, but never a mild one while a link or a part is not checked. */
export function kindOfAll(
  checks: readonly QueuedCheck[],
  { isPartUnread, isRisky = false }: Omit<HeadlineContext, 'isMessage'>,
): CheckKind {
  const kinds = new Set(checks.map(checkKindOf));
  const worst = KINDS.find((kind) => kinds.has(kind)) ?? 'unchecked';
  if (isRisky && worst !== 'block') return 'warn';
  return isHarmless(worst) && (isPartUnread || kinds.has('unchecked')) ? 'unchecked' : worst;
}

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
  { isMessage }: HeadlineContext,
  { say, format }: Locale,
): string {
  const count = countKinds(checks)[kind];
  if ((isMessage && checks.length === 1) || count === 0) return say(`mail.verdict.${kind}`);
  const words = { count: format.number(count), total: format.number(checks.length) };
  return isMessage && (kind === 'block' || kind === 'warn')
    ? say(`headline.${kind}.message`, words)
    : say(`headline.${kind}`, words);
}
