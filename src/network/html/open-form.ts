import type { PageOrigin } from './document.ts';
import type { DocumentScope } from './document-scope.ts';

type Attributes = ReadonlyMap<string, string>;

/** Elements that can name one another: those of a document, of a shadow root, of a template. */
export interface FormTree {
  /** The form that the parser is in (HTML standard, "form element pointer"). */
  form: OpenForm | null;
  /** The first element of each `id`: the form, or null if it is another element. */
  readonly ids: Map<string, OpenForm | null>;
}

/** Place in a page. */
export interface MarkupPlace {
  readonly origin: PageOrigin;
  readonly scope: DocumentScope;
  readonly tree: FormTree;
}

/** A form while its page is read. */
export interface OpenForm {
  readonly attributes: Attributes;
  readonly place: MarkupPlace;
  readonly element: boolean;
  readonly fields: OpenField[];
  readonly buttonActions: string[];
  readonly buttonTexts: string[];
  /** True if a form that only script may write is open around it, so that a browser may ignore this one. */
  readonly isDoubtful: boolean;
}

/** A field while its page is read. */
export interface OpenField {
  readonly type: string;
  readonly attributes: Attributes;
  /** Text of a label around it; grows while the label is open. */
  wrapping: string;
  readonly before: string;
  /** True if something around it hides it. */
  readonly isHidden: boolean;
}

/** A tree in which nothing has been read. */
export function emptyTree(): FormTree {
  return { form: null, ids: new Map() };
}

/** A form in which nothing has been read. */
export function openForm(
  attributes: Attributes,
  place: MarkupPlace,
  kind: { element: boolean; isDoubtful: boolean },
): OpenForm {
  return { attributes, place, fields: [], buttonActions: [], buttonTexts: [], ...kind };
}
