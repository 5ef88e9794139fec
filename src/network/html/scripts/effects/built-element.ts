import { scriptOfDataAddress } from '../../addresses.ts';
import { type ElementValue, exactText, type Value } from '../constants/script-value.ts';
import { REFLECTED_NAMES } from '../page-names.ts';
import { openAddress, refreshTo } from './navigation.ts';
import { addMarkup, writeValue } from './script-findings.ts';
import type { CodePlace, ScriptReader } from './script-reader.ts';

/** Maximum number of elements that the scripts of a page create. */
const MAX_ELEMENTS = 500;
const MAX_CHILDREN = 500;
const MAX_NESTING = 32;

/** Elements that show nothing themselves; what a script file draws is stated as an external script. */
const SILENT = new Set(['script', 'link', 'style', 'noscript', 'template']);

/** Properties whose attribute has another name. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  className: 'class',
  htmlFor: 'for',
  httpEquiv: 'http-equiv',
  formAction: 'formaction',
};

/** Returns a new element; null once there are too many. */
export function createElement(reader: ScriptReader, tag: Value): ElementValue | null {
  const name = exactText(tag);
  reader.elements += 1;
  if (name === null || reader.elements > MAX_ELEMENTS || !/^[a-z][a-z\d-]{0,30}$/i.test(name)) {
    reader.findings.writesUnknown = true;
    return null;
  }
  return {
    kind: 'element',
    tag: name.toLowerCase(),
    attributes: new Map(),
    children: [],
    isOfPage: false,
    isAttached: false,
  };
}

/** Sets an attribute of an element by the name of its property; an unknown value is stated. */
export function setAttribute(place: CodePlace, element: ElementValue, property: string, value: Value): void {
  const { reader } = place;
  const name = ATTRIBUTES[property] ?? property.toLowerCase();
  const text = exactText(value);
  if (text === null) {
    if (!element.isOfPage && !SILENT.has(element.tag) && REFLECTED_NAMES.has(name))
      reader.findings.writesUnknown = true;
  } else if (name === 'text' || name === 'textcontent' || name === 'innertext') {
    if (!element.isOfPage) element.children.splice(0, element.children.length, text);
  } else if (REFLECTED_NAMES.has(name) || name === 'style' || name.startsWith('data-')) {
    element.attributes.set(name, text);
    // A frame of the page that gets another address counts as a new one.
    if (element.isOfPage && name === 'src' && /^i?frame$/.test(element.tag)) attach(place, element);
  }
}

/** Puts something into an element, or into the page if that is not an element of the script. */
export function appendTo(place: CodePlace, parent: Value, child: Value): void {
  const into =
    parent !== null && typeof parent === 'object' && parent.kind === 'element' && !parent.isOfPage ? parent : null;
  if (child !== null && typeof child === 'object' && child.kind === 'element') {
    if (into === null) attach(place, child);
    else if (into.children.length < MAX_CHILDREN && into !== child) into.children.push(child);
    return;
  }
  const text = exactText(child);
  if (text === null) place.reader.findings.writesUnknown = true;
  else if (into !== null && into.children.length < MAX_CHILDREN) into.children.push(text);
}

/** Puts an element into the page. */
export function attach({ reader, rank }: CodePlace, element: ElementValue): void {
  if (element.isAttached) return;
  element.isAttached = true;
  reader.attached.push({ element, rank });
}

/** Writes out the elements that scripts put into the page. */
export function writeAttached(reader: ScriptReader): void {
  for (const { element, rank } of reader.attached.splice(0)) {
    element.isAttached = false;
    const { tag, attributes } = element;
    const place = { reader, scope: reader.globals, rank };
    if (tag === 'script') takeScript(place, element);
    else if (tag === 'meta') takeMeta(place, attributes);
    else if (!SILENT.has(tag)) writeElement(place, element);
  }
}

function takeScript({ reader, rank }: CodePlace, { attributes, children }: ElementValue): void {
  const address = attributes.get('src');
  const code = address === undefined ? children[0] : scriptOfDataAddress(address);
  if (typeof code === 'string') reader.readCode(code, rank);
  else if (address !== undefined) reader.findings.externalCount += 1;
}

function takeMeta(place: CodePlace, attributes: ReadonlyMap<string, string>): void {
  if (/^refresh$/i.test(attributes.get('http-equiv') ?? '')) refreshTo(place, attributes.get('content') ?? '');
}

function writeElement(place: CodePlace, element: ElementValue): void {
  const source = element.attributes.get('src') ?? element.attributes.get('data') ?? '';
  if (/^\s*javascript:/i.test(source)) openAddress(place, source);
  const markup = markupOf(element, 0);
  if (markup !== '') addMarkup(place.reader.findings, markup);
}

function markupOf({ tag, attributes, children }: ElementValue, nesting: number): string {
  // A picture of nothing but an address counts visitors, and a frame without any is filled by other scripts.
  const isEmpty =
    tag === 'img' ? !attributes.has('alt') : tag === 'iframe' && !attributes.has('src') && !attributes.has('srcdoc');
  if (nesting > MAX_NESTING || isEmpty) return '';
  const written = [...attributes].map(
    ([name, value]) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  );
  const inside = children.map((child) =>
    typeof child === 'string' ? child.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : markupOf(child, nesting + 1),
  );
  return `<${tag}${written.join('')}>${inside.join('')}</${tag}>`;
}

/** Sets what is inside an element: markup goes to the page. */
export function setMarkup(reader: ScriptReader, element: Value, value: Value): void {
  const text = exactText(value);
  if (
    element !== null &&
    typeof element === 'object' &&
    element.kind === 'element' &&
    !element.isOfPage &&
    text !== null &&
    !text.includes('<')
  )
    element.children.splice(0, element.children.length, text);
  else writeValue(reader.findings, value, false);
}
