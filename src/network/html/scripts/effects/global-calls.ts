import { scriptOfDataAddress } from '../../addresses.ts';
import { listItems, listValue, textOfCodes } from '../constants/list-methods.ts';
import { ENCODERS, spend, TEXT_DECODERS } from '../constants/pure-methods.ts';
import { exactText, MAX_TEXT, mapChoice, RANK, type Value } from '../constants/script-value.ts';
import { assignMember, assignMembers } from './assign-member.ts';
import { createElement } from './built-element.ts';
import { schedule } from './callbacks.ts';
import { navigate, openWindow, reload } from './navigation.ts';
import { addDecoded, writeValue } from './script-findings.ts';
import type { CodePlace } from './script-reader.ts';

/** A function of the browser, whose result is null if it is unknown. */
export type HostCall = (place: CodePlace, args: readonly Value[]) => Value;

/** Code rather than markup. */
const CODE = /^\s*[^<\s][\s\S]*(?:document\.write|innerHTML|eval|location)/;

/** Functions of the window, and constructors. */
export const WINDOW_CALLS: Readonly<Record<string, HostCall>> = {
  ...Object.fromEntries(Object.entries(TEXT_DECODERS).map(([name, decode]) => [name, decodeWith(decode, true)])),
  ...Object.fromEntries(Object.entries(ENCODERS).map(([name, encode]) => [name, decodeWith(encode, false)])),
  eval: (place, [code = null]) => readText(place, code),
  execScript: (place, [code = null]) => readText(place, code),
  Function: (place, args) => readText(place, args.at(-1) ?? ''),
  setTimeout: readTimer,
  setInterval: readTimer,
  setImmediate: readTimer,
  open: (place, [address = null, name = null]) => {
    openWindow(place, address, name);
    return null;
  },
  import: (place, [address = null]) => {
    importFile(place, address);
    return null;
  },
  String: (_, [value = '']) => (exactText(value) === null ? null : value),
  Number: (_, [value = 0]) => numberOf(exactText(value)),
  parseInt: (_, [value = null, radix]) =>
    finite(Number.parseInt(exactText(value) ?? '', typeof radix === 'number' ? radix : 10)),
  URL: (_, [address = null, base]) => resolve(exactText(address), base === undefined ? undefined : exactText(base)),
  Blob: readBlob,
  File: readBlob,
  Promise: (place, [callback = null]) => {
    schedule(place, callback, RANK.itself);
    return null;
  },
  $: callQuery,
  jQuery: callQuery,
  Array: (_, args) => listValue([...args]),
  Uint8Array: (_, [items = null]) => items,
};

/** Functions of other global objects, by the name of the object. */
export const STATIC_CALLS: Readonly<Record<string, HostCall>> = {
  'String.fromCharCode': (place, codes) => decodedText(place, textOfCodes(codes, false)),
  'String.fromCodePoint': (place, codes) => decodedText(place, textOfCodes(codes, true)),
  'Object.assign': (place, [target = null, ...sources]) =>
    sources.reduce<Value>((of, source) => assignMembers(place, of, source), target),
  'JSON.parse': (_, [text = null]) => parseJson(exactText(text)),
  'Array.of': (_, args) => listValue([...args]),
  'Array.from': listFrom,
  'Uint8Array.from': listFrom,
  'Reflect.set': (place, [of = null, key = null, value = null]) => {
    assignMember(place, of, exactText(key), value);
    return true;
  },
};

/** Functions of the document. */
export const DOCUMENT_CALLS: Readonly<Record<string, HostCall>> = {
  write: writeAll,
  writeln: writeAll,
  createElement: (place, [tag = null]) => createElement(place.reader, tag),
  createElementNS: (place, [, tag = null]) => createElement(place.reader, tag),
  createTextNode: (_, [text = null]) => text,
  getElementById: ({ reader }, [id = null]) => reader.elementById(exactText(id) ?? ''),
  querySelector: ({ reader }, [selector = null]) => elementOf(reader, exactText(selector)),
};

/** Functions of the address and of the navigation of the window. */
export const LOCATION_CALLS: Readonly<Record<string, HostCall>> = {
  replace: navigateTo,
  assign: navigateTo,
  navigate: navigateTo,
  reload: (place) => {
    reload(place);
    return null;
  },
};

/** Returns the element that a selector such as `#name` finds. */
function elementOf({ elementById }: CodePlace['reader'], selector: string | null): Value {
  const id = /^\s{0,9}(?:[a-z]{1,20})?#([\w-]{1,100})\s{0,9}$/i.exec(selector ?? '')?.[1];
  return id === undefined ? null : elementById(id);
}

/** jQuery: a function for when the page is loaded, markup, or a selector. */
function callQuery(place: CodePlace, args: readonly Value[]): Value {
  const [given = null] = args;
  const text = exactText(given);
  if (text === null) schedule(place, given, RANK.itself);
  else if (text.includes('<')) writeValue(place.reader.findings, given, false);
  return text === null ? null : elementOf(place.reader, text);
}

function navigateTo(place: CodePlace, [address = null]: readonly Value[]): Value {
  navigate(place, address);
  return null;
}

function writeAll({ reader }: CodePlace, args: readonly Value[]): Value {
  for (const arg of args) writeValue(reader.findings, arg, true);
  return null;
}

/** Takes a text that is run as a script. */
function readText(place: CodePlace, value: Value): Value {
  const code = exactText(value);
  if (code !== null) return place.reader.readCode(code, place.rank);
  if (value === null || typeof value !== 'object' || value.kind !== 'function')
    place.reader.findings.writesUnknown = true;
  return null;
}

function readTimer(place: CodePlace, [callback = null]: readonly Value[]): Value {
  const code = typeof callback === 'object' ? null : exactText(callback);
  if (code === null) schedule(place, callback, RANK.itself);
  else place.reader.readCode(code, place.rank);
  return null;
}

/** Takes a script that another one imports. */
export function importFile(place: CodePlace, address: Value): void {
  const code = scriptOfDataAddress(exactText(address) ?? '');
  if (code === null) place.reader.findings.externalCount += 1;
  else place.reader.readCode(code, place.rank);
}

function readBlob(place: CodePlace, [parts = null, options = null]: readonly Value[]): Value {
  const type =
    options !== null && typeof options === 'object' && options.kind === 'record'
      ? exactText(options.members.get('type') ?? null)
      : null;
  if (!/html|svg/i.test(type ?? '')) return null;
  for (const part of listItems(parts) ?? [null]) writeValue(place.reader.findings, part, false);
  return null;
}

function decodeWith(decode: (text: string) => string, isDecoder: boolean): HostCall {
  return (place, [value = null]) =>
    mapChoice(value, (one) => {
      const text = exactText(one);
      if (text === null || !spend(place.reader.budget, text.length)) return null;
      try {
        const decoded = decode(text);
        if (!isDecoder)
          return decoded.length > MAX_TEXT
            ? null
            : one !== null && typeof one === 'object'
              ? asDecoded(decoded)
              : decoded;
        return decoded === text ? one : decodedText(place, asDecoded(decoded));
      } catch {
        return null;
      }
    });
}

function asDecoded(text: string): Value {
  return { kind: 'text', text, knownLength: null, encoded: true };
}

/** Notes a decoded text, and reads it if it is a script. */
export function decodedText(place: CodePlace, value: Value): Value {
  if (value === null || typeof value !== 'object' || value.kind !== 'text' || !value.encoded) return value;
  const text = exactText(value);
  if (text === null || text.length < MIN_DECODED) return value;
  addDecoded(place.reader.findings, text);
  if (CODE.test(text)) place.reader.readCode(text, place.rank);
  return value;
}

/** Shorter texts are single characters and words. */
const MIN_DECODED = 8;

function numberOf(text: string | null): Value {
  return text === null ? null : finite(Number(text));
}

function finite(number: number): Value {
  return Number.isFinite(number) ? number : null;
}

function resolve(address: string | null, base: string | null | undefined): Value {
  return address === null || base === null ? null : (URL.parse(address, base)?.href ?? null);
}

function listFrom(place: CodePlace, [source = null, callback = null]: readonly Value[]): Value {
  const items = listItems(source, place.reader.budget);
  if (items === null) return null;
  if (callback === null || typeof callback !== 'object' || callback.kind !== 'function') return listValue([...items]);
  return listValue(items.map((item, at) => place.reader.callForEach(callback, [item, at], place.rank)));
}

/** Maximum characters of JSON that is read. */
const MAX_JSON = 64 * 1024;

function parseJson(text: string | null): Value {
  if (text === null || text.length > MAX_JSON) return null;
  try {
    return valueOfJson(JSON.parse(text));
  } catch {
    return null;
  }
}

function valueOfJson(json: unknown, nesting = 0): Value {
  if (typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean') return json;
  if (json === null || typeof json !== 'object' || nesting > 8) return null;
  if (Array.isArray(json)) return listValue(json.map((item) => valueOfJson(item, nesting + 1)));
  const members = new Map(Object.entries(json).map(([key, value]) => [key, valueOfJson(value, nesting + 1)] as const));
  return { kind: 'record', members, origin: null };
}
