import { html, replaceChildren } from '../../elements/dom.ts';
import { confirmed } from './confirm.ts';
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
