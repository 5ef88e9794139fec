import { html } from '../../elements/dom.ts';
import type { ConsoleTeller } from '../console-parts.ts';
import { draftOf, keepDraft } from './drafts.ts';
import type { FormField } from './form-field.ts';
import { INPUTS } from './inputs.ts';

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
export function createField(form: string, field: FormField, tell: ConsoleTeller): MadeField {
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
