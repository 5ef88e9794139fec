import { listItems } from '../constants/list-methods.ts';
import { type ElementValue, exactText, RANK, type Value } from '../constants/script-value.ts';
import { appendAll } from './assign-member.ts';
import { attach, setAttribute, setMarkup } from './built-element.ts';
import { eventRank, schedule } from './callbacks.ts';
import { clickElement } from './navigation.ts';
import { addAddress, writeValue } from './script-findings.ts';
import type { CodePlace } from './script-reader.ts';

/** A method that is known by its name alone, whatever its object is. */
type AnyCall = (place: CodePlace, of: Value, args: readonly Value[]) => Value;

const writesFirst: AnyCall = ({ reader }, _, [markup = null]) => {
  writeValue(reader.findings, markup, false);
  return null;
};

const setsMarkup: AnyCall = ({ reader }, of, [markup]) => {
  if (markup !== undefined) setMarkup(reader, of, markup);
  return of;
};

/** `append`, of an element or of jQuery: texts are markup to the latter. */
const appends: AnyCall = (place, of, values) => {
  if (isPairOfForm(values)) return of;
  for (const value of values) {
    const text = exactText(value);
    if (text?.includes('<')) writeValue(place.reader.findings, value, false);
    else appendAll(place, of, [value]);
  }
  return of;
};

/** `FormData.append(name, value)` and its like. */
function isPairOfForm(values: readonly Value[]): boolean {
  return values.length > 1 && exactText(values[0] ?? null)?.includes('<') === false;
}

const appendsFirst: AnyCall = (place, of, [child = null]) => {
  appendAll(place, of, [child]);
  return child;
};

const setsAttribute: AnyCall = (place, of, [name = null, value]) => {
  const key = exactText(name);
  const element = elementIn(of);
  if (key === null) return of;
  if (value === undefined) return element?.attributes.get(key.toLowerCase()) ?? null;
  if (key.toLowerCase() === 'srcdoc') writeValue(place.reader.findings, value, false);
  else if (/^on[a-z]/i.test(key))
    place.reader.readCode(exactText(value) ?? '', Math.max(place.rank, eventRank(key.slice(2))));
  else if (element) setAttribute(place, element, key, value);
  return of;
};

const sends: AnyCall = (place, of, args) => {
  for (const arg of args) schedule(place, arg, RANK.clicked);
  if (args.length > 0) return of;
  if (place.rank === RANK.itself) place.reader.findings.sendsForm = true;
  const element = elementIn(of);
  if (element && !element.isOfPage && place.rank <= RANK.callback) attach(place, element);
  return null;
};

const clicks: AnyCall = (place, of, args) => {
  for (const arg of args) schedule(place, arg, RANK.clicked);
  const element = elementIn(of);
  if (args.length === 0 && element) clickElement(place, element);
  else if (args.length === 0 && place.rank === RANK.itself) place.reader.findings.movesAway = true;
  return of;
};

const requests: AnyCall = ({ reader }, _, args) => {
  for (const arg of args.slice(0, 2)) {
    const address = exactText(arg)?.trim() ?? '';
    if (/^https?:\/\//i.test(address)) addAddress(reader.findings, 'requested', address);
  }
  return null;
};

/** Methods that write markup, build elements, send forms, or request addresses. */
export const ANY_CALLS: Readonly<Record<string, AnyCall>> = {
  write: ({ reader }, _, args) => {
    for (const arg of args) writeValue(reader.findings, arg, false);
    return null;
  },
  insertAdjacentHTML: ({ reader }, _, [, markup = null]) => {
    writeValue(reader.findings, markup, false);
    return null;
  },
  setHTMLUnsafe: setsMarkup,
  setHTML: setsMarkup,
  html: setsMarkup,
  parseFromString: writesFirst,
  parseHTMLUnsafe: writesFirst,
  parseHTML: writesFirst,
  createContextualFragment: writesFirst,
  append: appends,
  prepend: appends,
  after: appends,
  before: appends,
  replaceWith: appends,
  replaceChildren: appends,
  appendChild: appendsFirst,
  insertBefore: appendsFirst,
  replaceChild: appendsFirst,
  insertAdjacentElement: (place, of, [, child = null]) => appendsFirst(place, of, [child]),
  appendTo: (place, of, [parent = null]) => appendsFirst(place, parent, [of]),
  setAttribute: setsAttribute,
  getAttribute: setsAttribute,
  attr: setsAttribute,
  prop: setsAttribute,
  submit: sends,
  requestSubmit: sends,
  click: clicks,
  fetch: requests,
  post: requests,
  open: requests,
  sendBeacon: requests,
  decode: (_, __, [bytes = null]) => decodeBytes(listItems(bytes)),
};

function elementIn(of: Value): ElementValue | null {
  return of !== null && typeof of === 'object' && of.kind === 'element' ? of : null;
}

/** Decodes a list of bytes as `TextDecoder` does; null if a byte is unknown. */
function decodeBytes(items: readonly Value[] | null): Value {
  if (items === null || !items.every((item) => typeof item === 'number')) return null;
  return { kind: 'text', text: new TextDecoder().decode(Uint8Array.from(items)), knownLength: null, encoded: true };
}
