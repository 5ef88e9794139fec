import type { QueuedCheck } from '../check/check-queue.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import type { MailView } from './mail-view.ts';
import { mailOfLinks } from './opened-mail.ts';

/** Milliseconds between two drawings: a mail may have thousands of links. */
const REFRESH_MS = 50;

/** Where a mail is shown as a whole, once what draws it has come from the service. */
export interface MailPlace {
  readonly element: HTMLElement;
  /** Shows the mail in which the links of checks stood; nothing where they stood in none. */
  show(checks: readonly QueuedCheck[]): void;
  /** Takes the focus; false where no mail is shown. */
  focus(): boolean;
  /** A check of it has changed. */
  changed(): void;
}

/** Builds an empty place; a link whose check is done can be opened, which calls `open`. */
export function mailPlace(locale: Locale, open: (check: QueuedCheck) => void): MailPlace {
  const element = html('div', {});
  let current: readonly QueuedCheck[] = [];
  let view: MailView | null = null;
  let scheduled: ReturnType<typeof setTimeout> | undefined;

  async function draw(checks: readonly QueuedCheck[]): Promise<void> {
    const mail = mailOfLinks(checks.map(({ link }) => link));
    if (mail === null) return;
    const { mailView } = await import('./mail-view.ts');
    if (current !== checks) return;
    view = mailView(mail, checks, locale, open);
    replaceChildren(element, view.element);
  }

  return {
    element,
    show(checks) {
      current = checks;
      view = null;
      replaceChildren(element);
      // Where it does not come, the list of the links says the same.
      draw(checks).catch(() => undefined);
    },
    focus() {
      element.querySelector('h2')?.focus();
      return view !== null;
    },
    changed() {
      if (scheduled !== undefined) return;
      scheduled = setTimeout(() => {
        scheduled = undefined;
        view?.refresh();
      }, REFRESH_MS);
    },
  };
}
