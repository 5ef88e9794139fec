import { MAX_CAPTURED_LENGTH, truncateText } from '#src/core/base/text/truncate-text.ts';
import { searchFor } from '#src/core/knowledge/fact-file.ts';
import { FIELD_WORDS } from '#src/core/knowledge/words/markup-words.ts';
import { isDeadLink, resolveUrl } from './addresses.ts';
import type { FieldKind, PageField, PageForm } from './document.ts';
import type { DocumentScope } from './document-scope.ts';
import type { HtmlLimits } from './limits.ts';
import { type MarkupPlace, type OpenField, type OpenForm, openForm } from './open-form.ts';
import { hides } from './styles/hiding.ts';
import { oneLine } from './text-sink.ts';

/** Clues in the markup of a field; all but `label` as in its attributes. */
interface FieldClues {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly autocomplete: string;
  readonly style: string;
  readonly label: string;
}

interface Clue {
  readonly kind: FieldKind;
  /** Matched against name and id, lower case, punctuation as single spaces. */
  readonly name: RegExp;
  /** Matched against the label, lower case. */
  readonly label: RegExp;
}

/** Tokens of the `autocomplete` attribute (HTML standard, "autofill"). */
const AUTOCOMPLETE: Readonly<Record<string, FieldKind>> = {
  'current-password': 'password',
  'new-password': 'password',
  'one-time-code': 'one_time_code',
  'cc-number': 'card_number',
  'cc-csc': 'card_code',
  username: 'user_name',
  email: 'email',
  tel: 'phone',
};

/** Words before the requested data: `Enter your current password`. */
const ASKING = '(?:(?:your|enter|current|e-?mail|the|please|account|ihr|votre|tu|su|sua)\\W+){0,3}';

/** The first match wins: rarer kinds come first. */
const CLUES: readonly Clue[] = FIELD_WORDS.map(({ kind, name, label }) => ({
  kind,
  name: searchFor({ whole: name }),
  label: 'first' in label ? new RegExp(`^\\W*${ASKING}(?:${label.first.join('|')})`) : searchFor(label),
}));

const FREE_TEXT = new Set(['text', 'tel', 'number', 'password', 'email', 'url', 'search', 'textarea']);

/** Returns the kind of a field; `other` if nothing determines it. */
export function classifyField(clues: FieldClues): FieldKind {
  if (clues.type === 'hidden' || clues.type === 'file' || clues.type === 'search') return clues.type;
  if (!FREE_TEXT.has(clues.type)) return 'other';
  for (const token of clues.autocomplete.toLowerCase().split(/\s+/, 8)) {
    const kind = AUTOCOMPLETE[token];
    if (kind) return kind;
  }
  const found = CLUES.find(matcher(clues))?.kind;
  const masked = clues.type === 'password' || /text-security:(?:disc|circle|square)/.test(clues.style);
  if (masked) return found && RARER_THAN_PASSWORD.has(found) ? found : 'password';
  if (found !== undefined) return found;
  if (clues.type === 'email') return 'email';
  return clues.type === 'tel' ? 'phone' : 'other';
}

const RARER_THAN_PASSWORD: ReadonlySet<FieldKind> = new Set([
  'seed_phrase',
  'card_code',
  'card_number',
  'one_time_code',
  'identity_number',
]);

function matcher(clues: FieldClues): (clue: Clue) => boolean {
  const names = `${spaced(clues.name)} | ${spaced(clues.id)}`;
  const label = clues.label.toLowerCase();
  return (clue) => clue.name.test(names) || clue.label.test(label);
}

/** `user[loginEmail]` as `user login email`. */
function spaced(name: string): string {
  return name
    .slice(0, 64)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ');
}

type Attributes = ReadonlyMap<string, string>;

/** Gathers forms and their fields while a page is read; addresses are resolved at the end, when its base is known. */
export interface FormCollector {
  /** Answers null if the form is ignored: inside another one, or beyond the limits. */
  openForm(attributes: Attributes, place: MarkupPlace): OpenForm | null;
  /** Takes note of any other element that has an `id`. */
  addElement(attributes: Attributes, place: MarkupPlace): void;
  /** Adds a field. `before` is the preceding text, `around` the form that contains the field. */
  addField(tag: 'input' | 'select' | 'textarea', attributes: Attributes, at: FieldPlace, before: string): void;
  addButton(attributes: Attributes, text: string, at: FieldPlace): void;
  /** Begins a label around the following fields; the returned function ends it with its text. */
  openLabel(attributes: Attributes): (text: string) => void;
  readonly fieldCount: number;
  finish(): PageForm[];
}

/** Place of a field. */
export interface FieldPlace extends MarkupPlace {
  /** The form that contains it; null if there is none. */
  readonly around: OpenForm | null;
  /** True if something around it hides it. */
  readonly isHidden: boolean;
}

const BUTTON_TYPES = new Set(['submit', 'button', 'image', 'reset']);
const INPUT_TYPES = new Set(
  'text password email tel number search url hidden checkbox radio file date time month week datetime-local color range'
    .split(' ')
    .concat([...BUTTON_TYPES]),
);

/** Creates an empty collector, bounded by the limits; `onFull` is called for the first form or field beyond them. */
export function createFormCollector(limits: HtmlLimits, onFull: () => void): FormCollector {
  const forms: OpenForm[] = [];
  const loose = new Map<string, OpenForm>();
  const labels = new Map<string, string>();
  /** Runs once all forms are known. */
  const named: (() => void)[] = [];
  const openLabels: OpenField[][] = [];
  let fieldCount = 0;
  let retained = 0;
  let buttons = 0;

  const looseForm = (place: MarkupPlace): OpenForm => {
    const key = place.origin;
    const form = loose.get(key) ?? openForm(new Map(), place, { element: false, isDoubtful: false });
    loose.set(key, form);
    return form;
  };
  /** Brings the form of a field: of one that names its form when all of the page is known. */
  const withOwner = (attributes: Attributes, at: FieldPlace, act: (form: OpenForm) => void) => {
    const id = attributes.get('form');
    if (id === undefined) act(at.tree.form ?? at.around ?? looseForm(at));
    else named.push(() => act(at.tree.ids.get(id) ?? looseForm(at)));
  };
  const addElement = (attributes: Attributes, { tree }: MarkupPlace, form: OpenForm | null) => {
    const id = attributes.get('id');
    if (id !== undefined && id !== '' && !tree.ids.has(id)) tree.ids.set(id, form);
  };

  return {
    openForm(attributes, place) {
      const outer = place.tree.form;
      // Browsers ignore a form inside a form; only script determines if a form that a script writes is open.
      const isDoubtful = outer?.place.origin === 'written' && place.origin !== 'written';
      if (outer !== null && !isDoubtful) return null;
      if (forms.length >= limits.forms) {
        onFull();
        return null;
      }
      const form = openForm(attributes, place, { element: true, isDoubtful });
      forms.push(form);
      if (place.origin !== 'template' && place.origin !== 'shadow') place.tree.form = form;
      addElement(attributes, place, form);
      return form;
    },
    addElement: (attributes, place) => addElement(attributes, place, null),
    addField(tag, attributes, at, before) {
      const type = tag === 'input' ? inputType(attributes) : tag;
      if (BUTTON_TYPES.has(type)) return this.addButton(attributes, attributes.get('value') ?? '', at);
      if (type !== 'hidden') fieldCount += 1;
      if (retained >= limits.fields) return onFull();
      retained += 1;
      const field: OpenField = { type, attributes, wrapping: '', before, isHidden: at.isHidden };
      withOwner(attributes, at, ({ fields }) => fields.push(field));
      openLabels.at(-1)?.push(field);
    },
    addButton(attributes, text, at) {
      buttons += 1;
      if (buttons > limits.fields) return onFull();
      const action = attributes.get('formaction');
      const label = oneLine(text || attributes.get('aria-label') || '', limits.labelCharacters);
      withOwner(attributes, at, ({ buttonActions, buttonTexts }) => {
        if (action !== undefined && buttonActions.length < limits.smallItems) buttonActions.push(action);
        if (label !== '' && buttonTexts.length < limits.smallItems) buttonTexts.push(label);
      });
    },
    openLabel(attributes) {
      const inside: OpenField[] = [];
      openLabels.push(inside);
      return (text) => {
        const at = openLabels.lastIndexOf(inside);
        if (at !== -1) openLabels.splice(at, 1);
        const label = oneLine(text, limits.labelCharacters);
        for (const field of inside) field.wrapping = label;
        const target = attributes.get('for');
        if (target !== undefined && labels.size < limits.fields && !labels.has(target)) labels.set(target, label);
      };
    },
    get fieldCount() {
      return fieldCount;
    },
    finish() {
      for (const act of named) act();
      const asked = [...loose.values()].filter((form) => form.fields.some((field) => field.type !== 'hidden'));
      return [...forms, ...asked].map((form) => finishForm(form, labels, limits));
    },
  };
}

function inputType(attributes: Attributes): string {
  const type = (attributes.get('type') ?? '').toLowerCase();
  return INPUT_TYPES.has(type) ? type : 'text';
}

function finishForm(form: OpenForm, labels: ReadonlyMap<string, string>, limits: HtmlLimits): PageForm {
  const { scope, origin } = form.place;
  const attribute = form.attributes.get('action') ?? null;
  const method = (form.attributes.get('method') ?? '').toLowerCase();
  const isSent = form.element && !form.isDoubtful && method !== 'dialog';
  const action = isSent ? resolveAction(attribute, scope) : null;
  return {
    action: action && truncateText(action, MAX_CAPTURED_LENGTH),
    actionAttribute: attribute && truncateText(attribute, MAX_CAPTURED_LENGTH),
    method: method === 'post' || method === 'dialog' ? method : 'get',
    fields: form.fields.map((field) => finishField(field, labels, limits)),
    buttonActions: form.buttonActions
      .flatMap((action) => resolveAction(action, scope) ?? [])
      .map((action) => truncateText(action, MAX_CAPTURED_LENGTH)),
    buttonTexts: form.buttonTexts,
    scripted: !form.element || form.attributes.has('onsubmit') || /^\s*javascript:/i.test(attribute ?? ''),
    element: form.element,
    origin,
  };
}

/**
 * Returns the target of a form. Without an action, it is the form's own document (HTML standard, "form submission
 * algorithm"). Null if a browser sends the form nowhere on the web, or only script determines the target.
 */
function resolveAction(attribute: string | null, scope: DocumentScope): string | null {
  const written = (attribute ?? '').trim();
  if (!scope.allowsForms || !scope.isBaseKnownFor(written)) return null;
  const isFragment = written.startsWith('#');
  if (isDeadLink(written) && written !== '' && !isFragment) return null;
  const resolved = written === '' ? scope.url : resolveUrl(written, scope.baseUrl);
  const action = isFragment ? (resolved?.split('#', 1)[0] ?? null) : resolved;
  return action !== null && scope.policies.allowsAction(action) ? action : null;
}

function finishField(field: OpenField, labels: ReadonlyMap<string, string>, limits: HtmlLimits): PageField {
  const { type, attributes } = field;
  const id = attributes.get('id') ?? '';
  const own = ['aria-label', 'placeholder', 'title'].map((name) => attributes.get(name) ?? '');
  const named = [labels.get(id) ?? field.wrapping, ...own].filter((text) => text.trim() !== '').join(' ');
  const label = oneLine(named || (type === 'hidden' ? '' : field.before), limits.labelCharacters);
  const name = (attributes.get('name') ?? '').slice(0, limits.labelCharacters).toWellFormed();
  const style = (attributes.get('style') ?? '').replace(/\s+/g, '').toLowerCase();
  const kind: FieldKind = classifyField({
    type,
    name,
    id,
    autocomplete: attributes.get('autocomplete') ?? '',
    style,
    label,
  });
  return {
    name,
    type,
    kind,
    label,
    presetEmail: presetEmail(attributes.get('value') ?? ''),
    positioned: /(?:^|;)position:absolute/.test(style),
    ...((field.isHidden || attributes.has('hidden') || hides(style)) && { concealed: true }),
  };
}

function presetEmail(value: string): string | null {
  return value.length <= 254 && /^[^\s@]{1,64}@[a-z0-9.-]{1,180}\.[a-z]{2,24}$/i.test(value.trim())
    ? value.trim()
    : null;
}
