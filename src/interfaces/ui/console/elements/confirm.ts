import { html } from '../../elements/dom.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { returnFocus } from './return-focus.ts';

/** Asks once before something is taken away. The question names the object; the safe answer has the focus. */
export function confirmed(question: string, action: string, { tell }: Pick<ConsoleParts, 'tell'>): Promise<boolean> {
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
