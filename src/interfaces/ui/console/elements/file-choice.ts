import { html, replaceChildren } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { ConsoleTeller } from '../console-parts.ts';
import type { FormField } from './form-field.ts';
import { takesDrops } from './takes-drops.ts';

/** A file of the reader's device. */
interface FileChoice {
  readonly element: HTMLElement;
  /** The file; null if none was chosen. */
  held(): File | null;
  take(files: FileList | null | undefined): void;
  clear(): void;
}

/** Builds a field that accepts a chosen or dropped file, and calls `taken` with it. */
export function fileChoice(
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
