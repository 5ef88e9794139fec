import { html } from '../../elements/dom.ts';
import type { ConsoleTeller } from '../console-parts.ts';
import { keepDraft } from './drafts.ts';
import { fileChoice } from './file-choice.ts';
import type { FormField } from './form-field.ts';
import { takesDrops } from './takes-drops.ts';

/** An input and its parts. */
interface MadeInput {
  readonly input: HTMLElement;
  read(): string;
  write(text: string): void;
  file?(): File | null;
}

type MakeInput = (id: string, field: FormField, tell: ConsoleTeller) => MadeInput;

const QUIET = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' } as const;

const oneLine: MakeInput = (id, { kind = 'text', isRequired = false, name }) => {
  const own = kind === 'number' ? { min: 0, inputmode: 'numeric' } : {};
  const dir = kind === 'text' || kind === 'password' ? 'ltr' : null;
  const input = html('input', { type: kind, id, name, required: isRequired, dir, ...QUIET, ...own });
  return {
    input,
    read: () => input.value.trim(),
    write(text) {
      input.value = text;
    },
  };
};

const choice: MakeInput = (id, { options = [], name }) => {
  const input = html(
    'select',
    { id, name },
    options.map(([value, words]) => html('option', { value }, words)),
  );
  return {
    input,
    read: () => input.value,
    write(text) {
      input.value = text || (options[0]?.[0] ?? '');
    },
  };
};

const check: MakeInput = (id, { name }) => {
  const input = html('input', { type: 'checkbox', id, name });
  return {
    input,
    read: () => (input.checked ? 'true' : ''),
    write(text) {
      input.checked = text === 'true';
    },
  };
};

const checks: MakeInput = (_id, { options = [] }) => {
  const boxes = options.map(([value]) => html('input', { type: 'checkbox', value }));
  const lines = options.map(([, words], at) => html('label', { class: 'check' }, boxes[at], ' ', words));
  const given = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);
  return {
    input: html('div', { class: 'checks' }, lines),
    read: () => given().join(','),
    write(text) {
      const chosen = text.split(',');
      for (const box of boxes) box.checked = chosen.includes(box.value);
    },
  };
};

const file: MakeInput = (id, field, tell) => {
  const { element, held, clear } = fileChoice(id, field, tell, () => undefined);
  return { input: element, read: () => held()?.name ?? '', write: clear, file: held };
};

/** Lines that are typed, pasted, or come from a file. */
const content: MakeInput = (id, field, tell) => {
  const area = html('textarea', { id, name: field.name, rows: 6, dir: 'ltr', class: 'mono', ...QUIET });
  const chosen = fileChoice(`${id}.file`, field, tell, (taken) => void fill(taken));
  async function fill(taken: File): Promise<void> {
    area.value = await taken.text();
    keepDraft(id, area.value);
  }
  const input = html('div', { class: 'content' }, area, chosen.element);
  takesDrops(area, chosen.take);
  return {
    input,
    read: () => area.value,
    write(text) {
      area.value = text;
      if (text === '') chosen.clear();
    },
  };
};

/** Inputs by the kind of their field. */
export const INPUTS: Readonly<Record<NonNullable<FormField['kind']>, MakeInput>> = {
  text: oneLine,
  number: oneLine,
  date: oneLine,
  password: oneLine,
  choice,
  check,
  checks,
  content,
  file,
};
