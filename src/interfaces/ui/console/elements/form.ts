import { type Child, html, replaceChildren } from '../../elements/dom.ts';
import { dropDrafts } from './drafts.ts';
import { createField } from './field.ts';
import type { FormField } from './form-field.ts';
import { type TroubleParts, trouble } from './trouble.ts';

/** Submitted input: texts by field name, and the chosen file, if there is one. */
export interface Entered {
  /** The text of a field; empty if nothing was entered. */
  text(name: string): string;
  /** The content of a chosen file; null if none was chosen. */
  readonly file: File | null;
}

/** Fields and submission of a form. */
export interface FormOrder {
  /** Unique in the console; drafts are kept by it. */
  readonly id: string;
  readonly fields: readonly FormField[];
  readonly submit: string;
  readonly lead?: Child;
  /** Present if the form can be closed. */
  readonly cancel?: () => void;
  /** Sends it, and calls `sent` once nothing of it needs to be kept; `result` is a place below the form. */
  send(entered: Entered, result: HTMLElement, sent: () => void): Promise<void>;
}

/** A form. What was typed stays until it was sent, and what the service refused is said below. */
export function consoleForm({ id, fields, submit, lead, cancel, send }: FormOrder, parts: TroubleParts): HTMLElement {
  const made = fields.map((field) => createField(id, field, parts.tell));
  const result = html('div', { class: 'form-result' });
  const button = html('button', { type: 'submit', class: 'primary' }, submit);

  function sent(): void {
    dropDrafts(`${id}.`);
    for (const { clear } of made) clear();
  }

  async function act(): Promise<void> {
    if (button.getAttribute('aria-disabled') === 'true') return;
    replaceChildren(result);
    button.setAttribute('aria-disabled', 'true');
    try {
      const texts = new Map(made.map(({ name, read }) => [name, read()]));
      const file = made.map(({ file }) => file()).find((one) => one !== null) ?? null;
      await send({ text: (name) => texts.get(name) ?? '', file }, result, sent);
    } catch (error) {
      replaceChildren(result, trouble(error, parts));
    } finally {
      button.removeAttribute('aria-disabled');
    }
  }

  return html(
    'form',
    {
      class: 'console-form',
      submit: (event) => {
        event.preventDefault();
        void act();
      },
    },
    lead !== undefined && html('p', { class: 'muted wide' }, lead),
    made.map(({ element }) => element),
    html(
      'div',
      { class: 'buttons' },
      button,
      cancel && html('button', { type: 'button', click: cancel }, parts.tell('cancel')),
    ),
    result,
  );
}
