import { html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type TroubleParts, trouble } from './trouble.ts';

/** Action of a button. */
export interface Act {
  readonly label: string;
  /** The object, which a screen reader hears with the label where several buttons have the same one. */
  readonly of?: string;
  /** Confirmation of a destructive action. */
  readonly question?: string;
  /** True for the main action of its place. */
  readonly isPrimary?: boolean;
  run(): Promise<void>;
}

/** A button that asks something of the service, and says beside it why that failed. */
export function action({ label, of, question, isPrimary, run }: Act, parts: TroubleParts): HTMLElement {
  const said = html('div', { class: 'said' });
  const button = html(
    'button',
    {
      type: 'button',
      class: question === undefined ? isPrimary && 'primary' : 'danger',
      'aria-label': of === undefined ? null : `${label}: ${of}`,
      click: () => void act(),
    },
    label,
  );

  async function act(): Promise<void> {
    if (button.getAttribute('aria-disabled') === 'true') return;
    if (question !== undefined && !(await confirmed(question, label, parts))) return;
    replaceChildren(said);
    button.setAttribute('aria-disabled', 'true');
    try {
      await run();
    } catch (error) {
      replaceChildren(said, trouble(error, parts));
    } finally {
      button.removeAttribute('aria-disabled');
    }
  }

  return html('div', { class: 'action' }, button, said);
}

/** Asks once before something is taken away. The question names the object; the safe answer has the focus. */
function confirmed(question: string, action: string, { tell }: Pick<ConsoleParts, 'tell'>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const giveBack = returnFocus();
  const close = (value: string) => () => dialog.close(value);
  const dialog = html(
    'dialog',
    {
      'aria-labelledby': 'console-question',
      close: () => {
        dialog.remove();
        giveBack();
        resolve(dialog.returnValue === 'yes');
      },
    },
    html('p', { id: 'console-question' }, question),
    html(
      'div',
      { class: 'buttons' },
      html('button', { type: 'button', autofocus: true, click: close('') }, tell('cancel')),
      html('button', { type: 'button', class: 'danger', click: close('yes') }, action),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}

/** Remembers what has the focus, and gives it back when the returned function is called, unless it is gone by then. */
export function returnFocus(): () => void {
  const holder = document.activeElement;
  return () => {
    if (holder instanceof HTMLElement) holder.focus();
  };
}
