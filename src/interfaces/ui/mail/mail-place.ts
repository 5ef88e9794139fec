import type { QueuedCheck } from '../check/check-queue.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import type { MailView } from './mail-view.ts';
import { type MailCheck, mailOfLinks } from './opened-mail.ts';

/** Milliseconds between two drawings: a mail may have thousands of links. */
const REFRESH_MS = 50;

/** Place of a whole mail; its code is loaded from the service when needed. */
export interface MailPlace {
  readonly element: HTMLElement;
  /** Shows the mail that contains the links of checks, with its own check; nothing if none does. */
  show(checks: readonly QueuedCheck[], whole: MailCheck | null): void;
  /** Moves the focus to the mail and returns its headline; null if none is shown. */
  focus(): string | null;
  /** A check of it has changed. */
  changed(): void;
}

/** Builds an empty place; a link whose check is done can be opened, which calls `open`. */
export function mailPlace(locale: Locale, open: (check: QueuedCheck) => void): MailPlace {
  const element = html('div', {});
  let current: readonly QueuedCheck[] = [];
  let view: MailView | null = null;
  let scheduled: ReturnType<typeof setTimeout> | undefined;

  async function draw(checks: readonly QueuedCheck[], whole: MailCheck | null): Promise<void> {
    const mail = whole?.mail ?? mailOfLinks(checks.map(({ link }) => link));
    if (mail === null) return;
    const [{ mailView }, ofMails] = await Promise.all([
      import('./mail-view.ts'),
      import('./mail-locale.ts').then(({ mailLocale }) => mailLocale(locale)),
    ]);
    if (current !== checks) return;
    view = mailView(mail, { checks, whole }, ofMails, open);
    replaceChildren(element, view.element);
  }

  return {
    element,
    show(checks, whole) {
      current = checks;
      view = null;
      replaceChildren(element);
      // If its code cannot be loaded, the list of links has the same content.
      draw(checks, whole).catch(() => undefined);
    },
    focus() {
      // As it will be drawn.
      view?.refresh();
      const title = element.querySelector('h2');
      title?.focus();
      return title?.textContent ?? null;
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
