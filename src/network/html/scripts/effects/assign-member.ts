import { type ElementValue, exactText, type MemberValue, RANK, type Value } from '../constants/script-value.ts';
import { appendTo, setAttribute, setMarkup } from './built-element.ts';
import { eventRank, schedule } from './callbacks.ts';
import { recordFor } from './member-access.ts';
import { navigate, openAddress } from './navigation.ts';
import { writeValue } from './script-findings.ts';
import type { CodePlace } from './script-reader.ts';

/** Sets a member of a value, by `=` or by `+=`: some of them write markup, or lead to another page. */
export function assignMember(place: CodePlace, of: Value, key: string | null, value: Value): void {
  if (key === null) {
    if (isObscure(of)) place.reader.findings.movesAway ||= place.rank <= RANK.callback;
    return;
  }
  nameFunction(value, key);
  if (/^on[a-z]{3,20}$/.test(key)) schedule(place, value, eventRank(key.slice(2)));
  else if (key === 'innerHTML' || key === 'outerHTML' || key === 'srcdoc') setMarkup(place.reader, of, value);
  else if (of !== null && typeof of === 'object') assignKnown(place, of, key, value);
}

function assignKnown(
  place: CodePlace,
  of: Exclude<Value, string | number | boolean | null>,
  key: string,
  value: Value,
): void {
  switch (of.kind) {
    case 'host':
      assignHost(place, of.name, key, value);
      break;
    case 'element':
      setAttribute(place, of, key, value);
      break;
    case 'list':
      if (/^\d{1,6}$/.test(key) && Number(key) <= of.items.length) of.items[Number(key)] = value;
      break;
    case 'record':
      of.members.set(key, value);
      break;
    case 'member':
      if (key === 'src' || key === 'href') openSource(place, value);
      if (!assignStyle(of, key, value)) recordFor(place.reader, of)?.members.set(key, value);
  }
}

function nameFunction(value: Value, key: string): void {
  if (value !== null && typeof value === 'object' && value.kind === 'function' && value.name === '') value.name = key;
}

/** Window, document or location, whose member is computed: obfuscated scripts navigate so. */
function isObscure(of: Value): boolean {
  return (
    of !== null && typeof of === 'object' && of.kind === 'host' && (of.name === 'location' || of.name === 'window')
  );
}

function assignHost(place: CodePlace, name: string, key: string, value: Value): void {
  if (name === 'location') {
    if (key === 'href') navigate(place, value);
    else if (key === 'pathname' || key === 'search') navigate(place, locationWith(place, key, exactText(value)));
  } else if (key === 'location' && name !== 'this') navigate(place, value);
  else if (name === 'document' && key === 'title') writeTitle(place, value);
  else if (name === 'document' && key === 'cookie') setCookie(place, exactText(value));
  else if (name !== 'document') place.reader.globals.names.set(key, value);
}

/** Maximum characters of a cookie, and number of cookies. */
const MAX_COOKIE = 4096;
const MAX_COOKIES = 20;

function setCookie({ reader: { findings }, rank }: CodePlace, cookie: string | null): void {
  if (cookie === null || rank > RANK.callback || cookie.length > MAX_COOKIE) return;
  if (findings.cookies.size < MAX_COOKIES) findings.cookies.add(cookie);
}

function locationWith({ reader }: CodePlace, key: 'pathname' | 'search', value: string | null): Value {
  const url = value === null ? null : URL.parse(reader.url ?? 'about:blank');
  if (!url || value === null) return null;
  url[key] = value;
  return url.href;
}

function writeTitle({ reader, rank }: CodePlace, value: Value): void {
  const title = exactText(value);
  if (title !== null && rank <= RANK.callback)
    writeValue(reader.findings, `<title>${title.replaceAll('<', '&lt;')}</title>`, false);
}

/** A page or script that is the address of an element. */
function openSource(place: CodePlace, value: Value): void {
  const address = exactText(value);
  if (address !== null && /^\s{0,20}data:text\/html/i.test(address)) openAddress(place, address);
}

/** Sets a declaration of the inline style of an element; false if the member is no style. */
function assignStyle(of: MemberValue, key: string, value: Value): boolean {
  const element: Value = of.key === 'style' ? of.of : null;
  if (element === null || typeof element !== 'object' || element.kind !== 'element') return of.key === 'style';
  const text = exactText(value);
  if (text !== null) addStyle(element, key, text);
  return true;
}

/** Maximum characters of a style that a script composes. */
const MAX_STYLE = 1000;

function addStyle({ attributes }: ElementValue, property: string, value: string): void {
  const before = attributes.get('style') ?? '';
  const name = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const style = property === 'cssText' ? value : `${before};${name}:${value}`;
  if (style.length <= MAX_STYLE) attributes.set('style', style);
}

/** Sets several members at once, as `Object.assign` does. */
export function assignMembers(place: CodePlace, of: Value, values: Value): Value {
  if (values !== null && typeof values === 'object' && values.kind === 'record') {
    for (const [key, value] of values.members) assignMember(place, of, key, value);
  }
  return of;
}

/** Puts values into an element, as `append` does. */
export function appendAll(place: CodePlace, parent: Value, values: readonly Value[]): void {
  for (const value of values) appendTo(place, parent, value);
}
