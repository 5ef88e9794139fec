import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import type { ConsoleTeller } from '../console-parts.ts';
import { draftOf, dropDrafts, type FormField, INPUTS, keepDraft } from './inputs.ts';
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

/** A field on the page. */
interface MadeField {
  readonly name: string;
  readonly element: HTMLElement;
  /** Its text: of a check `true` or empty, of several the values with commas between. */
  read(): string;
  clear(): void;
  /** The chosen file; null if there is none. */
  file(): File | null;
}

/** Creates a field, filled with its draft. Of passwords and files there are no drafts. */
function createField(form: string, field: FormField, tell: ConsoleTeller): MadeField {
  const { name, kind = 'text', value = '' } = field;
  const id = `${form}.${name}`;
  const isKept = kind !== 'password' && kind !== 'file';
  const { input, read, write, file = () => null } = INPUTS[kind](id, field, tell);
  if (isKept) {
    write(draftOf(id, value));
    input.addEventListener('input', () => keepDraft(id, read()));
  }
  return { name, read, file, clear: () => write(value), element: labelled(id, field, input) };
}

/** An input with its label and its hint. */
function labelled(
  id: string,
  { label, kind = 'text', hint, isWide = false }: FormField,
  input: HTMLElement,
): HTMLElement {
  const note = hint !== undefined && html('p', { class: 'note', id: `${id}.hint` }, hint);
  if (note) {
    const described = input.matches('input, select') ? input : input.querySelector('input');
    described?.setAttribute('aria-describedby', note.id);
  }
  if (kind === 'checks') return html('fieldset', { class: 'field wide' }, html('legend', {}, label), input, note);
  if (kind === 'check')
    return html('div', { class: 'field wide' }, html('label', { class: 'check' }, input, ' ', label), note);
  if (kind === 'file')
    return html('div', { class: 'field wide' }, html('span', { class: 'label' }, label), input, note);
  const look = kind === 'content' || isWide ? 'field wide' : 'field';
  return html('div', { class: look }, html('label', { for: id }, label), input, note);
}
