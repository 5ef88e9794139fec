import {
  DOCUMENT,
  type ElementValue,
  exactText,
  type HostValue,
  LOCATION,
  type MemberValue,
  NAVIGATION,
  type RecordValue,
  type Value,
  WINDOW,
} from '../constants/script-value.ts';
import type { ScriptReader } from './script-reader.ts';

/** Members of the window that lead to an object of the browser, or back to the window. */
const WINDOW_MEMBERS: Readonly<Record<string, HostValue>> = {
  window: WINDOW,
  self: WINDOW,
  top: WINDOW,
  parent: WINDOW,
  frames: WINDOW,
  globalThis: WINDOW,
  opener: WINDOW,
  document: DOCUMENT,
  location: LOCATION,
  navigation: NAVIGATION,
};

/** Members of any object that lead back to the page. */
const ANY_MEMBERS: Readonly<Record<string, HostValue>> = {
  ownerDocument: DOCUMENT,
  contentDocument: DOCUMENT,
  defaultView: WINDOW,
};

const ADDRESS_PARTS = /^(?:href|protocol|host|hostname|port|pathname|search|hash|origin)$/;

/** Returns the value of a member; for one that is not known, its name and that of its object. */
export function readMember(reader: ScriptReader, of: Value, key: string | null): Value {
  if (key === null || of === null) return { kind: 'member', of, key };
  if (typeof of === 'string') return memberOfText(of, key) ?? { kind: 'member', of, key };
  if (typeof of !== 'object') return { kind: 'member', of, key };
  return (
    knownMember(reader, of, key) ??
    (Object.hasOwn(ANY_MEMBERS, key) ? (ANY_MEMBERS[key] ?? null) : { kind: 'member', of, key })
  );
}

function knownMember(reader: ScriptReader, of: Exclude<Value, string | number | boolean | null>, key: string): Value {
  switch (of.kind) {
    case 'text': {
      const text = exactText(of);
      return text === null ? null : memberOfText(text, key);
    }
    case 'list':
      return key === 'length' ? of.items.length : (of.items[indexOf(key)] ?? null);
    case 'record':
      return of.members.get(key) ?? (of.origin === null ? null : { kind: 'member', of: of.origin, key });
    case 'host':
      return memberOfHost(reader, of, key);
    case 'element':
      return memberOfElement(of, key);
    default:
      return null;
  }
}

function memberOfText(text: string, key: string): Value {
  if (key === 'length') return text.length;
  // An address that was made with `new URL` is stored as its text.
  if (key === 'href') return text;
  const index = indexOf(key);
  return index >= 0 && index < text.length ? text.charAt(index) : null;
}

function indexOf(key: string): number {
  return /^\d{1,7}$/.test(key) ? Number(key) : -1;
}

function memberOfHost(reader: ScriptReader, { name }: HostValue, key: string): Value {
  switch (name) {
    case 'window':
    case 'this':
      return readGlobal(reader, key, name === 'this');
    case 'document':
      if (key === 'location') return LOCATION;
      if (key === 'URL' || key === 'documentURI' || key === 'baseURI') return reader.url;
      return reader.elementById(key);
    case 'location':
      return ADDRESS_PARTS.test(key) && reader.url !== null ? (URL.parse(reader.url)?.[key as 'href'] ?? null) : null;
    default:
      return null;
  }
}

/** Returns a global variable, an object of the browser, or an element of that `id`. */
export function readGlobal(reader: ScriptReader, key: string, isThis = false): Value {
  const known = reader.globals.names.get(key);
  if (known !== undefined && known !== null) return known;
  if (isThis) return { kind: 'member', of: null, key };
  if (Object.hasOwn(WINDOW_MEMBERS, key)) return WINDOW_MEMBERS[key] ?? null;
  return reader.elementById(key) ?? { kind: 'member', of: WINDOW, key };
}

function memberOfElement(element: ElementValue, key: string): Value {
  const { attributes, children } = element;
  if (key === 'dataset') return datasetOf(attributes);
  if (key === 'textContent' || key === 'innerText' || key === 'innerHTML' || key === 'text') {
    const [text] = children;
    return children.length === 1 && typeof text === 'string' ? text : null;
  }
  const known = attributes.get(key);
  if (known !== undefined) return known;
  return key === 'value' && typeof children[0] === 'string' ? children[0] : null;
}

function datasetOf(attributes: ReadonlyMap<string, string>): RecordValue {
  const members = new Map<string, Value>();
  for (const [name, value] of attributes) {
    if (name.startsWith('data-'))
      members.set(
        name.slice(5).replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()),
        value,
      );
  }
  return { kind: 'record', members, origin: null };
}

/** Makes a record of a global, or of a member of one, so that its members can be set; null for any other value. */
export function recordFor(reader: ScriptReader, value: Value): RecordValue | null {
  if (value === null || typeof value !== 'object') return null;
  if (value.kind === 'record') return value;
  if (value.kind !== 'member' || value.key === null) return null;
  const parent = value.of === WINDOW ? reader.globals.names : recordFor(reader, value.of)?.members;
  if (parent === undefined) return null;
  const record: RecordValue = { kind: 'record', members: new Map(), origin: value as MemberValue };
  parent.set(value.key, record);
  return record;
}
