import { requestAbout } from '../api/api.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/foreign.ts';
import type { Locale } from '../shell/locale.ts';

/** Contact for a higher limit. */
export interface LimitContact {
  readonly element: HTMLElement;
  show(): void;
  hide(): void;
}

/**
 * Builds the contact line. It asks the service once, at the first wait, and stays hidden if the operator names no
 * contact.
 */
export function limitContact({ say }: Locale): LimitContact {
  const element = html('p', { class: 'muted', hidden: true });
  let asked: Promise<string | null> | null = null;
  let isWaiting = false;

  async function tell(): Promise<void> {
    asked ??= requestAbout().then(
      ({ contact }) => contact,
      () => null,
    );
    const contact = await asked;
    if (contact === null || !isWaiting) return;
    replaceChildren(
      element,
      filled(say('check.waiting.contact'), () => foreign(contact)),
    );
    element.hidden = false;
  }

  return {
    element,
    show() {
      isWaiting = true;
      void tell();
    },
    hide() {
      isWaiting = false;
      element.hidden = true;
    },
  };
}
