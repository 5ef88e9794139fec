import { findScriptEnd } from './scripts/script-end.ts';

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

/** Number of bytes that Chromium always scans; it goes on for as long as the head lasts. */
const LEAST_BYTES = 1024;

/** Scanned first, because few heads are longer. */
const FIRST_WINDOW_BYTES = 16 * 1024;

/** Elements that do not end the head for Chromium's scan, as start and as end tags. */
const OF_HEAD = new Set('script noscript style link meta object title base'.split(' '));
/** Elements whose start tag does not end the head either. */
const ROOTS = new Set(['html', 'head']);
/** Elements whose content is text. */
const RAW = new Set('script style title textarea xmp iframe noembed noframes noscript'.split(' '));

/**
 * Returns the labels of encodings that `meta` elements at the start of a page declare, in order. Scans as Chromium does,
 * to the end of the head and at least 1,024 bytes. Comments and the text of scripts, styles and titles are skipped.
 */
export function prescanMeta(bytes: Uint8Array): readonly string[] {
  const first = scan(bytes.subarray(0, FIRST_WINDOW_BYTES));
  return first.isOver || bytes.length <= FIRST_WINDOW_BYTES ? first.labels : scan(bytes).labels;
}

/** `isOver` is false if the head goes on behind the end of the bytes. */
function scan(bytes: Uint8Array): { labels: readonly string[]; isOver: boolean } {
  const text = new TextDecoder('windows-1252').decode(bytes).toLowerCase();
  const labels: string[] = [];
  let isInHead = true;
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at)) {
    if (!isInHead && at >= LEAST_BYTES) return { labels, isOver: true };
    const tag = readTag(text, at);
    if (tag === null) break;
    const { name, isEnd } = tag;
    const label = name === 'meta' && !isEnd ? metaLabel(tag.attributes) : null;
    if (label !== null) labels.push(label);
    if (!OF_HEAD.has(name) && (isEnd || !ROOTS.has(name))) isInHead = false;
    at = isEnd || !RAW.has(name) ? tag.end : endOfRawText(text, name, tag.end);
  }
  return { labels, isOver: false };
}

/** Returns the index of the next tag; comments and declarations are skipped. The length of the text if there is none. */
function nextMark(text: string, from: number): number {
  let at = text.indexOf('<', from);
  while (at !== -1 && !/^<\/?[a-z]/.test(text.slice(at, at + 3))) {
    const comment = text.startsWith('<!--', at) ? text.indexOf('-->', at + 2) : null;
    const declaration = /^<[!/?]/.test(text.slice(at, at + 2)) ? text.indexOf('>', at) : at;
    const end = comment ?? declaration;
    at = end === -1 ? -1 : text.indexOf('<', end + 1);
  }
  return at === -1 ? text.length : at;
}

function endOfRawText(text: string, name: string, from: number): number {
  if (name === 'script') return findScriptEnd(text, from);
  const end = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'g');
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/** Null if the tag does not end within the text. */
function readTag(text: string, start: number): Tag | null {
  const isEnd = text.charAt(start + 1) === '/';
  const nameStart = start + (isEnd ? 2 : 1);
  let at = nameStart;
  while (at < text.length && !/[\t\n\f\r />]/.test(text.charAt(at))) at++;
  const name = text.slice(nameStart, at);
  const attributes = new Map<string, string>();
  for (let next = readAttribute(text, at); next; next = readAttribute(text, at)) {
    if (!attributes.has(next.name)) attributes.set(next.name, next.value);
    at = next.end;
  }
  const close = text.indexOf('>', at);
  // What is left before the end is a value whose quote is not closed.
  const isOpen = close === -1 || /[^\t\n\f\r /]/.test(text.slice(at, close));
  return isOpen ? null : { name, isEnd, attributes, end: close + 1 };
}

function metaLabel(attributes: ReadonlyMap<string, string>): string | null {
  const charset = attributes.get('charset');
  if (charset !== undefined) return charset;
  if (attributes.get('http-equiv') !== 'content-type') return null;
  const match = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"']+))/.exec(
    attributes.get('content') ?? '',
  );
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

function readAttribute(text: string, from: number): Attribute | null {
  let at = from;
  while (at < text.length && /[\t\n\f\r /]/.test(text.charAt(at))) at++;
  if (at >= text.length || text.charAt(at) === '>') return null;
  const nameStart = at;
  at += 1;
  while (at < text.length && !/[\t\n\f\r />=]/.test(text.charAt(at))) at++;
  const name = text.slice(nameStart, at);
  while (at < text.length && /[\t\n\f\r ]/.test(text.charAt(at))) at++;
  if (text.charAt(at) !== '=') return { name, value: '', end: at };
  at += 1;
  while (at < text.length && /[\t\n\f\r ]/.test(text.charAt(at))) at++;
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1);
    return end === -1 ? null : { name, value: text.slice(at + 1, end), end: end + 1 };
  }
  const valueStart = at;
  while (at < text.length && !/[\t\n\f\r >]/.test(text.charAt(at))) at++;
  return { name, value: text.slice(valueStart, at), end: at };
}
