import { cutShort, MAX_CARRIED_LENGTH } from '#src/base/cut-short.ts';
import type { FieldKind, PageField, PageForm, PageOrigin } from './document.ts';
import { classifyField } from './field-kind.ts';
import type { HtmlLimits } from './limits.ts';
import { isDeadLink, resolveUrl } from './resolve-url.ts';
import { oneLine } from './text-sink.ts';

type Attributes = ReadonlyMap<string, string>;

interface OpenForm {
  readonly attributes: Attributes;
  readonly origin: PageOrigin;
  readonly element: boolean;
  readonly fields: OpenField[];
  readonly buttonActions: string[];
  readonly buttonTexts: string[];
}

interface OpenField {
  readonly type: string;
  readonly attributes: Attributes;
  /** Text of a label around it; grows while the label is open. */
  wrapping: string;
  readonly before: string;
}

/** Gathers forms and their fields while a page is read; addresses are resolved at the end, when its base is known. */
export interface FormCollector {
  openForm(attributes: Attributes, origin: PageOrigin): void;
  closeForm(): void;
  /** Keeps the form that is open out of a template, which has one of its own. */
  enterScope(): () => void;
  /** `before` is the text that was last read. */
  addField(tag: 'input' | 'select' | 'textarea', attributes: Attributes, origin: PageOrigin, before: string): void;
  addButton(attributes: Attributes, text: string, origin: PageOrigin): void;
  /** From here to the answer's call, fields stand inside a label whose text that call brings. */
  openLabel(attributes: Attributes): (text: string) => void;
  readonly fieldCount: number;
  finish(baseUrl: string, pageUrl: string): PageForm[];
}

const BUTTON_TYPES = new Set(['submit', 'button', 'image', 'reset']);
const INPUT_TYPES = new Set(
  'text password email tel number search url hidden checkbox radio file date time month week datetime-local color range'
    .split(' ')
    .concat([...BUTTON_TYPES]),
);

/** An empty collector that takes as many forms and fields as the limits allow; `onFull` is told of the first beyond. */
export function createFormCollector(limits: HtmlLimits, onFull: () => void): FormCollector {
  const forms: OpenForm[] = [];
  const loose = new Map<PageOrigin, OpenForm>();
  const byId = new Map<string, OpenForm>();
  const labels = new Map<string, string>();
  let current: OpenForm | null = null;
  const openLabels: OpenField[][] = [];
  let fieldCount = 0;
  let kept = 0;
  let buttons = 0;

  const emptyForm = (attributes: Attributes, origin: PageOrigin, element: boolean): OpenForm => ({
    attributes,
    origin,
    element,
    fields: [],
    buttonActions: [],
    buttonTexts: [],
  });
  const looseForm = (origin: PageOrigin): OpenForm => {
    const form = loose.get(origin) ?? emptyForm(new Map(), origin, false);
    loose.set(origin, form);
    return form;
  };
  const ownerOf = (attributes: Attributes, origin: PageOrigin): OpenForm => {
    const named = attributes.get('form');
    // A form that comes later in the page cannot be found yet; its field then counts as a loose one.
    return (named === undefined ? current : byId.get(named)) ?? looseForm(origin);
  };

  return {
    openForm(attributes, origin) {
      // A form inside a form is ignored by browsers.
      if (current !== null) return;
      if (forms.length >= limits.forms) return onFull();
      current = emptyForm(attributes, origin, true);
      forms.push(current);
      const id = attributes.get('id');
      if (id !== undefined && !byId.has(id)) byId.set(id, current);
    },
    closeForm() {
      current = null;
    },
    enterScope() {
      const outer = current;
      current = null;
      return () => {
        current = outer;
      };
    },
    addField(tag, attributes, origin, before) {
      const type = tag === 'input' ? inputType(attributes) : tag;
      if (BUTTON_TYPES.has(type)) return this.addButton(attributes, attributes.get('value') ?? '', origin);
      if (type !== 'hidden') fieldCount += 1;
      if (kept >= limits.fields) return onFull();
      kept += 1;
      const field: OpenField = { type, attributes, wrapping: '', before };
      ownerOf(attributes, origin).fields.push(field);
      openLabels.at(-1)?.push(field);
    },
    addButton(attributes, text, origin) {
      const form = ownerOf(attributes, origin);
      buttons += 1;
      if (buttons > limits.fields) return onFull();
      const action = attributes.get('formaction');
      if (action !== undefined && form.buttonActions.length < limits.smallItems) form.buttonActions.push(action);
      const label = oneLine(text || attributes.get('aria-label') || '', limits.labelCharacters);
      if (label !== '' && form.buttonTexts.length < limits.smallItems) form.buttonTexts.push(label);
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
    finish(baseUrl, pageUrl) {
      const asked = [...loose.values()].filter((form) => form.fields.some((field) => field.type !== 'hidden'));
      return [...forms, ...asked].map((form) => finishForm(form, labels, baseUrl, pageUrl, limits));
    },
  };
}

function inputType(attributes: Attributes): string {
  const type = (attributes.get('type') ?? '').toLowerCase();
  return INPUT_TYPES.has(type) ? type : 'text';
}

function finishForm(
  form: OpenForm,
  labels: ReadonlyMap<string, string>,
  baseUrl: string,
  pageUrl: string,
  limits: HtmlLimits,
): PageForm {
  const attribute = form.attributes.get('action') ?? null;
  const action = form.element ? resolveAction(attribute, baseUrl, pageUrl) : null;
  const method = (form.attributes.get('method') ?? '').toLowerCase();
  return {
    action: action && cutShort(action, MAX_CARRIED_LENGTH),
    actionAttribute: attribute && cutShort(attribute, MAX_CARRIED_LENGTH),
    method: method === 'post' || method === 'dialog' ? method : 'get',
    fields: form.fields.map((field) => finishField(field, labels, limits)),
    buttonActions: form.buttonActions
      .flatMap((action) => resolveUrl(action, baseUrl) ?? [])
      .map((action) => cutShort(action, MAX_CARRIED_LENGTH)),
    buttonTexts: form.buttonTexts,
    scripted: !form.element || form.attributes.has('onsubmit') || /^\s*javascript:/i.test(attribute ?? ''),
    element: form.element,
    origin: form.origin,
  };
}

/** A form without an action is sent to the page itself (HTML standard, "form submission algorithm"). */
function resolveAction(attribute: string | null, baseUrl: string, pageUrl: string): string | null {
  if (attribute === null || attribute.trim() === '') return pageUrl;
  if (isDeadLink(attribute)) return attribute.trim().startsWith('#') ? pageUrl : null;
  return resolveUrl(attribute, baseUrl);
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
  };
}

function presetEmail(value: string): string | null {
  return value.length <= 254 && /^[^\s@]{1,64}@[a-z0-9.-]{1,180}\.[a-z]{2,24}$/i.test(value.trim())
    ? value.trim()
    : null;
}
