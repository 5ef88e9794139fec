import { html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import type { ConsoleTeller } from '../console-parts.ts';

/** Unsent input of forms, in the memory of this page only; never a secret. */
const typed = new Map<string, string>();

/** Returns the unsent input of a field, or else `value`. */
export function draftOf(id: string, value: string): string {
  return typed.get(id) ?? value;
}

/** Remembers what is typed into a field, so that it outlives a reload of the screen, an expiry, and another language. */
export function keepDraft(id: string, value: string): void {
  typed.set(id, value);
}

/** Forgets the drafts of one form; without its name, all. */
export function dropDrafts(form = ''): void {
  for (const id of [...typed.keys()]) if (id.startsWith(form)) typed.delete(id);
}

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

/** A file of the reader's device. */
interface FileChoice {
  readonly element: HTMLElement;
  /** The file; null if none was chosen. */
  held(): File | null;
  take(files: FileList | null | undefined): void;
  clear(): void;
}

/** Builds a field that accepts a chosen or dropped file, and calls `taken` with it. */
function fileChoice(
  id: string,
  { accept, label }: Pick<FormField, 'accept' | 'label'>,
  tell: ConsoleTeller,
  taken: (file: File) => void,
): FileChoice {
  let file: File | null = null;
  const chooser = html('input', {
    type: 'file',
    id,
    accept,
    'aria-label': `${tell('file.choose')}: ${label}`,
    class: 'visually-hidden',
    change: () => take(chooser.files),
  });
  const said = html('span', { role: 'status', class: 'muted' }, tell('file.drop'));
  const element = html(
    'div',
    { class: 'drop' },
    html('label', { class: 'file-button' }, chooser, html('span', {}, tell('file.choose'))),
    said,
  );

  function take(files: FileList | null | undefined): void {
    const [first] = files ?? [];
    if (first === undefined) return;
    file = first;
    replaceChildren(said, literal(first.name));
    taken(first);
  }

  function clear(): void {
    file = null;
    chooser.value = '';
    replaceChildren(said, tell('file.drop'));
  }

  takesDrops(element, take);
  return { element, held: () => file, take, clear };
}

/** Takes files that are dropped on an element. The page around it would read them as messages with links. */
function takesDrops(element: HTMLElement, take: (files: FileList | null | undefined) => void): void {
  const mark = (isOver: boolean) => (event: Event) => {
    event.preventDefault();
    element.classList.toggle('is-over', isOver);
  };
  element.addEventListener('dragover', mark(true));
  element.addEventListener('dragleave', mark(false));
  element.addEventListener('drop', (event) => {
    mark(false)(event);
    event.stopPropagation();
    document.body.classList.remove('dragging');
    take(event.dataTransfer?.files);
  });
}

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind?: 'text' | 'number' | 'date' | 'password' | 'choice' | 'check' | 'checks' | 'content' | 'file';
  readonly value?: string;
  /** Values with their words, of a choice or of several checks. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** True if it fills a line, as URLs do. */
  readonly isWide?: boolean;
  /** Endings of the files that are proposed. */
  readonly accept?: string;
}
